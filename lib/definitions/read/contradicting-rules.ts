import type { Property } from '@/lib/definitions/definition'
import { type FileDetail, fault } from '@/lib/definitions/definition-faults'
import { storedPattern } from '@/lib/definitions/text-pattern'
import { valueFault } from '@/lib/definitions/value-fault'
import type { RawRule } from './raw-property'

/** Contradictions among the rules of a property. */
export function contradictingRules(
  property: Property,
  raw: ReadonlyMap<string, RawRule>,
  pointer: string,
): FileDetail[] {
  const { minLength, maxLength, min, max, enum: values, pattern } = property.rules
  const preset = property.rules.generates ? undefined : property.rules.default
  const at = (rule: string) => raw.get(rule)?.pointer ?? `${pointer}/${rule}`
  const faults: FileDetail[] = []
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    faults.push(
      fault(at('minLength'), `Is greater than the maximum length, ${maxLength}`, minLength),
    )
  if (min !== undefined && max !== undefined && min > max)
    faults.push(fault(at('min'), `Is greater than max, ${max}`, min))
  if (property.rules.reference?.onDelete === 'setNull' && property.rules.required)
    faults.push(fault(at('reference'), NOT_NULL))
  if (property.rules.reference?.with && property.name in property.rules.reference.with)
    faults.push(fault(at('reference'), `"with" names further fields, not ${property.name} itself`))
  if (property.display?.unit && property.display.format?.style === 'bytes')
    faults.push(fault(at('unit'), 'Bytes have units of their own; leave it out'))
  if (raw.has('onDelete') && !property.rules.reference)
    faults.push(fault(at('onDelete'), 'Applies to a reference only; add one'))
  const texts = [...(values ?? []), preset].filter((value) => typeof value === 'string')
  const tooLong = pattern === undefined ? null : tooMuchToMatch(pattern, texts)
  if (tooLong) return [...faults, fault(at('pattern'), tooLong)]
  const withoutEnum = { ...property, rules: { ...property.rules, enum: undefined } }
  for (const [index, value] of (values ?? []).entries()) {
    const wrong = valueFault(withoutEnum, value)
    if (wrong) faults.push(fault(`${at('enum')}/${index}`, `A value that ${wrong}`, value))
  }
  const wrong = preset === undefined ? null : valueFault(property, preset)
  if (wrong) faults.push(fault(at('default'), `The default ${wrong}`, preset))
  return faults
}

const NOT_NULL = 'onDelete setNull needs a field that is not required'

/** Definitions are checked without a pause, so their texts get a tenth of the time of a record's. */
export function tooMuchToMatch(pattern: string, texts: string[]): string | null {
  const most = Math.floor(storedPattern(pattern).maxChars / 10)
  const chars = texts.reduce((sum, { length }) => sum + length, 0)
  return chars <= most
    ? null
    : `Is too complex for enum and default of ${chars} characters; at most ${most} can be matched`
}
