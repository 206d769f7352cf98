/** The canonical form of a number, for comparing keys: `+1.50` and `15e-1` are both `1.5`. */
export function canonicalNumber(value: number | string): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value || 0)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(String(value)) ?? []
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction).padStart(
    whole.length + fraction.length - Math.min(point, 0),
    '0',
  )
  const at = Math.max(point, 0)
  const integer =
    digits
      .slice(0, at)
      .padEnd(at, '0')
      .replace(/^0+(?=\d)/, '') || '0'
  const rest = digits.slice(at).replace(/0+$/, '')
  const text = rest ? `${integer}.${rest}` : integer
  return sign === '-' && text !== '0' ? `-${text}` : text
}
