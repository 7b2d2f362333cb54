export default {
  id: " ", // want v1shape "id is no string with text in it"
  server: {}, // want v1shape "server is an object, not a function"
};
