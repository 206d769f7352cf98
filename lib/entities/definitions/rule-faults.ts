import type { FileDetail } from '@/lib/db/schema'
import type { Property } from '../definition'
import { fault } from './faults'
import type { RawRule } from './raw-property'
import { valueFault } from './value-fault'

/** What contradicts itself among the rules of a property. */
export function ruleFaults(
  property: Property,
  raw: ReadonlyMap<string, RawRule>,
  pointer: string,
): FileDetail[] {
  const { minLength, maxLength, min, max, enum: values, default: preset } = property.rules
  const at = (rule: string) => raw.get(rule)?.pointer ?? `${pointer}/${rule}`
  const faults: FileDetail[] = []
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    faults.push(fault(at('minLength'), `Is over the greatest length, ${maxLength}`, minLength))
  if (min !== undefined && max !== undefined && min > max)
    faults.push(fault(at('min'), `Is over max, ${max}`, min))
  const withoutEnum = { ...property, rules: { ...property.rules, enum: undefined } }
  for (const [index, value] of (values ?? []).entries()) {
    const wrong = valueFault(withoutEnum, value)
    if (wrong) faults.push(fault(`${at('enum')}/${index}`, `A value that ${wrong}`, value))
  }
  const wrong = preset === undefined ? null : valueFault(property, preset)
  if (wrong) faults.push(fault(at('default'), `The default ${wrong}`, preset))
  return faults
}
