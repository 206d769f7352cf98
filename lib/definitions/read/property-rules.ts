import type { Property, Rules } from '@/lib/definitions/definition'
import { type FileDetail, fault } from '@/lib/definitions/definition-faults'
import { propertyNameFault } from '@/lib/definitions/names'
import { resolveType, type Types } from '@/lib/definitions/resolve-type'
import { contradictingRules } from './contradicting-rules'
import { firstFittingExample } from './fitting-example'
import { generatedDefault } from './generated-default'
import type { RawProperty, RawRule } from './raw-property'
import { readRules } from './read-rules'

/** The normalised form of a property, or null after adding what is wrong to `faults`. */
export function toProperty(raw: RawProperty, types: Types, faults: FileDetail[]): Property | null {
  const found: FileDetail[] = []
  const nameFault = propertyNameFault(raw.name)
  if (nameFault) found.push(fault(raw.pointer, `"${raw.name}": ${nameFault}`))
  const type = resolveType(raw.type, types)
  if ('fault' in type) {
    faults.push(...found, fault(`${raw.pointer}/type`, type.fault, raw.type))
    return null
  }
  const inherited = [...type.meta].map(([rule, value]): [string, RawRule] => [
    rule,
    { value, pointer: `${raw.pointer}/type` },
  ])
  const all = new Map([...inherited, ...raw.rules])
  const { description, example, examples, renamedFrom, ...rules } = readRules(all, type.kind, found)
  if (type.format) rules.format = type.format
  const former = renamedFrom === undefined ? [] : [...new Set([renamedFrom].flat())]
  const declared = { ...build(raw, type, rules, description), ...renamed(former) }
  const property = generatedDefault(declared)
  if (found.length === 0) found.push(...contradictingRules(property, all, raw.pointer))
  faults.push(...found)
  if (found.length > 0) return null
  const shown = firstFittingExample(property, example, examples)
  return shown === undefined ? property : { ...property, example: shown }
}

const renamed = (names: string[]) => (names.length > 0 ? { renamedFrom: names } : {})

const build = (
  { name, label }: RawProperty,
  { type, kind }: Pick<Property, 'type' | 'kind'>,
  rules: Rules,
  description?: string,
): Property => ({
  name,
  type,
  kind,
  ...(label ? { label } : {}),
  ...(description ? { description } : {}),
  rules,
})
