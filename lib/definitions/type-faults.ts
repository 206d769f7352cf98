import type { TypeDefinition } from './definition'
import { type FileDetail, fault } from './definition-faults'
import { toProperty } from './read/property-rules'
import { resolveType, type Types, typesByName } from './resolve-type'

/** Faults of a type among `others`: a missing base, a cycle of bases, rules that don't fit. */
export function typeFaults(type: TypeDefinition, others: Types): FileDetail[] {
  const types = new Map([...others, ...typesByName([type])])
  const resolved = resolveType(type.name, types)
  if ('fault' in resolved) return [fault('/baseType', resolved.fault, type.baseType)]
  const faults: FileDetail[] = []
  const raw = { name: 'value', pointer: '', type: type.name, rules: new Map() }
  toProperty(raw, types, faults)
  return faults.map((one) => ({ ...one, pointer: one.pointer?.replace(/^\/type/, '/meta') }))
}
