// The setup of OpenCode 2 has another table of events; it is not a factory of this contract.
export default {
  id: "two",
  setup: (api) => ({ "session.execution.started": () => api.log("started") }),
};
