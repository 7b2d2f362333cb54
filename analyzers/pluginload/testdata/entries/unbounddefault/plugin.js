export default NotifyPlugin; // want unbounddefault "NotifyPlugin is not declared in this module"
