import type { ErrorObject } from 'ajv'
import type { JsonObject } from '@/lib/values/json'
import type { CompiledEntity } from './compiled-entity'
import { faultMessage, faultRule } from './fault-message'
import { addFault, pointerTo, type RecordFaults, showable, shownIn } from './record-faults'

/**
 * Puts Ajv's errors into words. One fault a field, since others mostly follow from it.
 * Returns the names of the faulty fields.
 */
export function addRuleFaults(
  faults: RecordFaults,
  { fields }: CompiledEntity,
  errors: ErrorObject[],
  record: JsonObject,
  index: number,
): Set<string> {
  const seen = new Set<string>()
  for (const error of errors) {
    const name = nameIn(error)
    const field = fields.get(name)
    if (!field || seen.has(name)) continue
    seen.add(name)
    const value = Object.hasOwn(record, name) ? record[name] : undefined
    const message = () => faultMessage(error, field.property, value)
    const about = { ...faultRule(error, field.property, value), field: name, index, message }
    addFault(faults, { ...about, value: shownIn(value) }, () => ({
      index,
      pointer: pointerTo(name),
      message: message(),
      ...(value === undefined ? {} : { value: showable(value) }),
    }))
  }
  return seen
}

// Only fields themselves have rules, and names of declared fields need no unescaping.
const nameIn = ({ keyword, params, instancePath }: ErrorObject): string =>
  keyword === 'required' ? params.missingProperty : instancePath.slice(1)
