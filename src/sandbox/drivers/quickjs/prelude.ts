/**
 * Runs inside QuickJS before the program: what a program needs to print and to read its input. It keeps the functions that it uses, so that a
 * program that changes the built-in ones changes only itself. Text crosses the border as JSON: a plain string ends at its first NUL there. Values are shown as node shows them, for one line each.
 */
export const PRELUDE = String.raw`(function (write, read) {
  'use strict';
  const { stringify, parse } = JSON, { isArray } = Array, { keys } = Object;
  const call = Function.prototype.call, bind = Function.prototype.bind;
  const uncurry = bind.bind(call);
  const join = uncurry(Array.prototype.join), push = uncurry(Array.prototype.push), has = uncurry(Array.prototype.includes);
  const replace = uncurry(String.prototype.replace), slice = uncurry(String.prototype.slice), hasText = uncurry(String.prototype.includes), test = uncurry(RegExp.prototype.test);
  const text = String, is = Object.is, ObjectType = Object, MapType = Map, SetType = Set, ErrorType = Error;
  const NAME = /^[A-Za-z_$][\w$]*$/, QUOTE = /'/g, ESCAPED_QUOTE = /\\"/g;

  const inside = (value) => replace(slice(stringify(value), 1, -1), ESCAPED_QUOTE, '"');
  const quoted = (value) => {
    if (!hasText(value, "'")) return "'" + inside(value) + "'";
    return hasText(value, '"') ? "'" + replace(inside(value), QUOTE, "\\'") + "'" : '"' + inside(value) + '"';
  };
  const list = (open, parts, close) => parts.length === 0 ? open + close : open + ' ' + join(parts, ', ') + ' ' + close;

  function show(value, depth, above) {
    if (typeof value === 'string') return depth === 0 ? value : quoted(value);
    if (typeof value === 'bigint') return text(value) + 'n';
    if (typeof value === 'symbol') return text(value);
    if (typeof value === 'function') return '[Function: ' + (value.name || '(anonymous)') + ']';
    if (typeof value !== 'object' || value === null) return is(value, -0) ? '-0' : text(value);
    if (has(above, value)) return '[Circular *1]';
    if (value instanceof ErrorType) return value.name + ': ' + value.message + (value.stack ? '\n' + replace(text(value.stack), /\n$/, '') : '');
    if (depth > 3) return isArray(value) ? '[Array]' : '[Object]';
    const deeper = [...above, value], parts = [];
    if (isArray(value)) {
      for (let index = 0; index < value.length; index++) push(parts, show(value[index], depth + 1, deeper));
      return list('[', parts, ']');
    }
    if (value instanceof MapType) {
      for (const [key, item] of value) push(parts, show(key, depth + 1, deeper) + ' => ' + show(item, depth + 1, deeper));
      return 'Map(' + value.size + ') ' + list('{', parts, '}');
    }
    if (value instanceof SetType) {
      for (const item of value) push(parts, show(item, depth + 1, deeper));
      return 'Set(' + value.size + ') ' + list('{', parts, '}');
    }
    for (const key of keys(value)) push(parts, (test(NAME, key) ? key : quoted(key)) + ': ' + show(value[key], depth + 1, deeper));
    const kind = value.constructor && value.constructor !== ObjectType ? value.constructor.name + ' ' : '';
    return kind + list('{', parts, '}');
  }

  const printer = (stream) => (...values) => {
    const parts = [];
    for (const value of values) push(parts, show(value, 0, []));
    write(stream, stringify(join(parts, ' ') + '\n'));
  };
  const out = printer(0), err = printer(1);
  globalThis.console = { log: out, info: out, debug: out, error: err, warn: err };
  globalThis.print = out;

  const fs = {
    readFileSync(path) {
      const found = read(text(path));
      if (found === undefined) throw new ErrorType("ENOENT: no such file or directory, open '" + text(path) + "'");
      return parse(found);
    },
  };
  globalThis.require = (name) => {
    if (name === 'fs' || name === 'node:fs') return fs;
    throw new ErrorType('Cannot find module ' + stringify(name) + ': there is only the language, console and fs.readFileSync');
  };
})`;
