// The name comes from elsewhere, and the rest is known at run time only.
import { name, more } from "somewhere";
const make = () => ({ id: name, server: more, ...more });
export default make();
