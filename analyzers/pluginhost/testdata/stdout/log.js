export const used = () => console.log("used"); // want stdout "console.log"
export const unused = () => console.log("nothing calls it");
