(function loopwrightRunTests() {
  const { parse, stringify } = JSON;
  const plain = (value, depth = 0) => {
    if (value === undefined) return null;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return '<' + typeof value + '>';
    if (value === null || typeof value !== 'object') return value;
    if (depth > 50) return '<too deep>';
    if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), plain(item, depth + 1)]));
    if (Array.isArray(value) || value instanceof Set || typeof value.next === 'function') {
      const items = [];
      for (const item of value) {
        items.push(plain(item, depth + 1));
        if (items.length > 100000) throw new RangeError('the result never ends: over 100000 items');
      }
      return items;
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, depth + 1)]));
  };
  const lineOf = (error) => {
    for (const [, line] of String(error && error.stack).matchAll(/main\.js:(\d+)/g)) if (Number(line) <= __LINES__) return Number(line);
    return null;
  };
  parse(__ARGS__).forEach((args, index) => {
    let said;
    try {
      said = { value: plain(__ENTRY__(...args)) };
    } catch (error) {
      said = { error: (error && error.name) || 'Error', message: String((error && error.message) || error).slice(0, 500), line: lineOf(error) };
    }
    console.log('\n' + __MARK__ + ' ' + index + ' ' + stringify(said));
  });
})();
