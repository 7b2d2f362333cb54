export default async () => ({
  event: async ({ event }) => {
    if (event.type === "permission.replied" && event.properties.response === "reject") return; // want eventfield "permission.replied.response is undefined in OpenCode 1.18.30: the property is named reply"
    switch (event.type) {
      case "permission.replied":
        return event.properties.permissionID; // want eventfield "named requestID"
      case "permission.asked":
        return event.properties.permissionID;
    }
    return other(event);
  },
});

function other(event) {
  if (event.type !== "permission.replied" || !event.properties) return;
  const { properties } = event;
  return properties["response"]; // want eventfield "named reply"
}
