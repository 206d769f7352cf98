/** Digits before or after the point; a number with more of them is written with an exponent, however many that means. */
const MAX_PLACES = 10_000

/** The canonical form of a number, for comparing keys: `+1.50` and `15e-1` are both `1.5`. */
export function canonicalNumber(value: number | string): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value || 0)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(String(value)) ?? []
  const all = whole + fraction
  const from = firstDigit(all)
  const digits = all.slice(from, afterLastDigit(all))
  if (digits === '') return '0'
  const point = whole.length - from + Number(exponent)
  return (sign === '-' ? '-' : '') + withPoint(digits, point)
}

/** Digits of which neither the first nor the last is 0, `point` of them before the point. */
function withPoint(digits: string, point: number): string {
  if (Math.max(point, digits.length - point) > MAX_PLACES) return `0.${digits}e${point}`
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  const rest = digits.slice(point)
  return digits.slice(0, point).padEnd(point, '0') + (rest && `.${rest}`)
}

// Not by patterns, which begin again at each zero.
function firstDigit(digits: string): number {
  let at = 0
  while (digits[at] === '0') at++
  return at
}

function afterLastDigit(digits: string): number {
  let at = digits.length
  while (digits[at - 1] === '0') at--
  return at
}
