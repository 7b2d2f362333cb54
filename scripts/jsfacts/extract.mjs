// Extracts facts from JavaScript and TypeScript files with @babel/parser, independently of
// internal/js, for the comparison in main.go.
//
//   node extract.mjs DIR_WITH_NODE_MODULES < list of files > facts, one JSON line per file
//
// A fact is [kind, start, end, name, value]: byte offsets in the file, and the JSON text of
// the value of a constant where this script can compute it, else "".

import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const require = createRequire(join(resolve(process.argv[2]), "x.js"));
const { parse } = require("@babel/parser");

/** Parses a module, or what is a script only. */
function parseFile(path, text) {
  const plugins = ["importAttributes", "decorators", "explicitResourceManagement"];
  if (/\.[mc]?tsx?$/.test(path)) plugins.push("typescript");
  if (!/\.[mc]?ts$/.test(path)) plugins.push("jsx");
  const options = { plugins, allowReturnOutsideFunction: true, errorRecovery: false };
  try {
    return parse(text, { ...options, sourceType: "module" });
  } catch (err) {
    if (/\.[mc]?tsx?$/.test(path)) throw err;
    return parse(text, { ...options, sourceType: "script" });
  }
}

/** Returns a function from UTF-16 to byte offsets. */
function byteOffsets(text) {
  if (Buffer.byteLength(text) === text.length) return (i) => i;
  const table = new Uint32Array(text.length + 1);
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    table[i] = bytes;
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00) bytes += 4; // the pair; its second half adds nothing
    else if (unit < 0xdc00 || unit > 0xdfff) bytes += 3;
  }
  table[text.length] = bytes;
  return (i) => table[i];
}

const unwrap = (n) => {
  while (n && /^(TS(As|Satisfies|NonNull)Expression|TSTypeAssertion|ParenthesizedExpression)$/.test(n.type)) n = n.expression;
  return n;
};

const keyName = (p) => {
  if (p.type === "SpreadElement" || (p.computed && p.key.type !== "StringLiteral")) return null;
  if (p.key.type === "Identifier") return p.key.name;
  if (p.key.type === "NumericLiteral") return String(p.key.value);
  return p.key.type === "StringLiteral" ? p.key.value : null;
};

const none = Symbol("not computed");

/** Computes literals, signs, and arrays and objects of them. */
function evaluate(n) {
  n = unwrap(n);
  switch (n?.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return n.value;
    case "NullLiteral":
      return null;
    case "TemplateLiteral":
      return n.expressions.length === 0 ? n.quasis[0].value.cooked : none;
    case "UnaryExpression": {
      const v = evaluate(n.argument);
      return n.operator === "-" && typeof v === "number" ? -v : none;
    }
    case "BinaryExpression": {
      const a = evaluate(n.left);
      const b = evaluate(n.right);
      if (typeof a !== typeof b || (typeof a !== "number" && typeof a !== "string")) return none;
      if (n.operator === "+") return a + b;
      if (typeof a === "string") return none;
      return n.operator === "*" ? a * b : n.operator === "-" ? a - b : n.operator === "<<" ? a << b : none;
    }
    case "ArrayExpression": {
      const list = n.elements.map((e) => (e === null || e.type === "SpreadElement" ? none : evaluate(e)));
      return list.includes(none) ? none : list;
    }
    case "ObjectExpression": {
      const entries = new Map();
      for (const p of n.properties) {
        const key = p.type === "ObjectProperty" && !p.shorthand ? keyName(p) : null;
        const value = key === null || key === "__proto__" ? none : evaluate(p.value);
        if (value === none) return none;
        entries.set(key, value);
      }
      return Object.fromEntries(entries);
    }
  }
  return none;
}

/** Returns the JSON text of a value, numbers that JSON lacks by name. */
const show = (v) => JSON.stringify(v, (_, x) => (typeof x === "number" && !Number.isFinite(x) ? String(x) : x));

function extract(path) {
  const text = readFileSync(path, "utf8");
  const ast = parseFile(path, text);
  const at = byteOffsets(text);
  const facts = [];
  const add = (kind, n, name, value = "") => facts.push([kind, at(n.start), at(n.end), name, value]);

  const keys = (kind, n) => {
    n = unwrap(n);
    if (n?.type !== "ObjectExpression") return;
    for (const p of n.properties) {
      const name = keyName(p);
      if (name !== null) add(kind, p.key, name);
    }
  };
  const names = (pattern) => {
    switch (pattern?.type) {
      case "Identifier": add("export", { start: pattern.start, end: pattern.start + pattern.name.length }, pattern.name); break;
      case "ObjectPattern": pattern.properties.forEach((p) => names(p.value ?? p.argument)); break;
      case "ArrayPattern": pattern.elements.forEach(names); break;
      case "AssignmentPattern": names(pattern.left); break;
      case "RestElement": names(pattern.argument); break;
    }
  };
  const isType = (d) => d.declare || /^TS(Interface|TypeAlias|Declare)/.test(d.type);

  const exportFacts = (n) => {
    if (n.exportKind === "type" || n.declaration?.type === "TSModuleDeclaration") return;
    if (n.type === "ExportDefaultDeclaration") {
      if (isType(n.declaration)) return;
      const start = text.indexOf("default", n.start);
      return add("export", { start, end: start + 7 }, "default");
    }
    const d = n.declaration;
    if (d && !isType(d)) {
      if (d.type === "VariableDeclaration") d.declarations.forEach((v) => names(v.id));
      else add("export", { start: d.id.start, end: d.id.start + d.id.name.length }, d.id.name);
    }
    for (const s of n.specifiers ?? []) {
      if (s.exportKind !== "type" && /^Export(Namespace)?Specifier$/.test(s.type)) add("export", s.exported, s.exported.name ?? s.exported.value);
    }
  };

  const isEnv = (n) => {
    n = unwrap(n);
    return /^(Optional)?MemberExpression$/.test(n?.type) && !n.computed && n.property.name === "env" && n.object.type === "Identifier" && n.object.name === "process";
  };
  const lastName = (callee) => {
    callee = unwrap(callee);
    if (callee.type === "Identifier") return callee.name;
    if (!/^(Optional)?MemberExpression$/.test(callee.type)) return "";
    if (callee.computed) return callee.property.type === "StringLiteral" ? callee.property.value : "";
    return callee.property.type === "PrivateName" ? "#" + callee.property.id.name : callee.property.name;
  };

  const visit = (n, parent) => {
    if (isType(n) || /^TS/.test(n.type) && unwrap(n) === n && n.type !== "TSEnumDeclaration" && n.type !== "TSParameterProperty" && n.type !== "TSExportAssignment" && n.type !== "TSInstantiationExpression" && !/^TSModule/.test(n.type)) return;
    switch (n.type) {
      case "VariableDeclarator":
        if (parent.kind === "const" && n.init && n.id.type === "Identifier" && ast.program.body.some((s) => s === parent || s.declaration === parent)) {
          const value = evaluate(n.init);
          add("const", { start: n.id.start, end: n.id.start + n.id.name.length }, n.id.name, value === none ? "" : show(value));
        }
        break;
      case "ExportNamedDeclaration": case "ExportDefaultDeclaration":
        if (parent.type === "Program") exportFacts(n);
        break;
      case "ReturnStatement": keys("returned", n.argument); break;
      case "ArrowFunctionExpression": keys("returned", n.body); break;
      case "CallExpression": case "OptionalCallExpression":
        if (n.callee.type === "Import") break;
        add("call", n, lastName(n.callee));
        n.arguments.forEach((a) => keys("argument", a));
        break;
      case "AwaitExpression": add("await", n, ""); break;
      case "MemberExpression": case "OptionalMemberExpression":
        if (isEnv(n.object)) {
          const written = (parent.type === "AssignmentExpression" && parent.operator === "=" && parent.left === n) || (parent.type === "UnaryExpression" && parent.operator === "delete");
          if (!written && !n.computed) add("env", n.property, n.property.name);
          if (!written && n.computed && n.property.type === "StringLiteral") add("env", n.property, n.property.value);
        }
        break;
    }
    for (const key of Object.keys(n)) {
      if (key === "typeAnnotation" || key === "returnType" || key === "typeParameters" || key === "typeArguments" || key === "superTypeParameters" || key === "implements") continue;
      if (/[cC]omments$/.test(key)) continue;
      const child = n[key];
      if (Array.isArray(child)) child.forEach((c) => c && typeof c.type === "string" && visit(c, n));
      else if (child && typeof child.type === "string") visit(child, n);
    }
  };
  visit(ast.program, ast);
  for (const c of ast.comments) add("comment", c, "");
  return facts;
}

for (const path of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  let line;
  try {
    line = { path, facts: extract(path) };
  } catch (err) {
    line = { path, error: String(err.message) };
  }
  const bytes = Buffer.from(JSON.stringify(line) + "\n");
  for (let n = 0; n < bytes.length; ) n += writeSync(1, bytes, n);
}
