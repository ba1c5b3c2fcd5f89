/** Decimals of a currency, by ISO 4217 as the runtime knows it: 2 for CNY and USD, 0 for JPY. */
function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** 29900 CNY → "299.00"; 29900 JPY → "29900". Without thousands separators, so that it is found again word for word. */
export function formatMinor(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return (minor / 10 ** decimals).toFixed(decimals);
}

/** "120" or "120.00" in CNY → 12000. Null when it is no amount of that currency ("1.005" CNY). */
export function parseMajor(text: string, currency: string): number | null {
  const decimals = decimalsOf(currency);
  if (!/^\d{1,9}(\.\d+)?$/.test(text)) return null;
  const [whole = '0', fraction = ''] = text.split('.');
  if (fraction.length > decimals) return null;
  return Number(whole) * 10 ** decimals + Number(fraction.padEnd(decimals, '0') || 0);
}
