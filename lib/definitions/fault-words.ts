import type { Json } from '@/lib/values/json'
import type { FaultGroup } from './definition-faults'

/** `167 stored records have tier = enterprise`: what a group of faults is, without what would be allowed. */
export function faultText(group: FaultGroup): string {
  const { entity, total, field, value } = group
  const isOne = total === 1
  const subject = `${total.toLocaleString('en')} ${entity === null ? '' : 'stored '}record${isOne ? '' : 's'}`
  if (field === null || ALWAYS_WORDED.has(group.rule)) return `${subject}: ${group.message}`
  const verb = isOne ? 'has' : 'have'
  if (value !== undefined) return `${subject} ${verb} ${field} = ${shown(value)}`
  return `${subject} ${verb} ${PHRASES[group.rule]?.(field, shown(group.allowed)) ?? `another ${field}`}`
}

/** `allowed: free, pro`; empty where the text says it already. */
export function allowedText({ rule, value, allowed }: FaultGroup): string {
  if (allowed === undefined || (value === undefined && rule !== 'enum')) return ''
  if (rule === 'reference') return `not in ${shown(allowed)}`
  const before = BEFORE[rule] ?? ''
  return `allowed: ${before}${shown(allowed)}`
}

/** `such as a, b`: some of the values where they differ. */
export const examplesText = ({ examples = [] }: FaultGroup): string =>
  examples.length > 0 ? `such as ${examples.slice(0, 5).map(shown).join(', ')}` : ''

/** Of these the message tells more than a field and its value. */
const ALWAYS_WORDED = new Set<FaultGroup['rule']>(['empty', 'value', 'conflict', 'computed'])

const BEFORE: Partial<Record<FaultGroup['rule'], string>> = {
  min: 'at least ',
  max: 'at most ',
  minLength: 'characters from ',
  maxLength: 'characters up to ',
  pattern: 'what matches ',
}

const PHRASES: Partial<Record<FaultGroup['rule'], (field: string, allowed: string) => string>> = {
  type: (field, allowed) => `a ${field} that is no ${allowed}`,
  min: (field, allowed) => `${field} below ${allowed}`,
  max: (field, allowed) => `${field} above ${allowed}`,
  minLength: (field, allowed) => `a ${field} of fewer than ${allowed} characters`,
  maxLength: (field, allowed) => `a ${field} of more than ${allowed} characters`,
  pattern: (field, allowed) => `a ${field} that does not match ${allowed}`,
  format: (field, allowed) => `a ${field} that is no ${allowed}`,
  required: (field) => `no ${field}`,
  unique: (field) => `the same ${field} as another record`,
  key: (field) => `the ${field} of another record`,
  reference: (field, allowed) =>
    `a ${field} that refers to nothing${allowed === '' ? '' : ` in ${allowed}`}`,
  undeclared: (field) => `the field ${field}, which is not declared`,
  size: (field, allowed) => `a ${field} of more than ${allowed} bytes`,
}

const MAX_LISTED = 20

/** A value as it is read: lists by their members, an empty text as such. */
function shown(value: Json | undefined): string {
  if (value === undefined) return ''
  if (value === '') return '""'
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  const members = value.slice(0, MAX_LISTED).map(shown)
  return value.length > MAX_LISTED ? `${members.join(', ')}, …` : members.join(', ')
}
