import { ApiError } from '@/lib/http/client'

/** Records that an edit would make invalid for one reason. */
type FaultGroup = {
  /** One, but for rules about several; none when the server names none. */
  fields: string[]
  reason: string
  /** Of those that are listed. */
  count: number
  /** What all of them would get, as JSON; null: different values, which `examples` tell. */
  value: string | null
  /** Keys of the first ones, with the value that they would get. */
  examples: string[]
}

export type EditFaults = {
  /** What is wrong with the given value itself, whatever the records. */
  value: string | null
  groups: FaultGroup[]
  /** Records that are not listed, of which the server said only how many they are. */
  unlisted: number
}

const MAX_EXAMPLES = 3

/** Why an edit was refused, by reason; null for other errors. */
export function editFaults(error: Error | null): EditFaults | null {
  if (!(error instanceof ApiError) || error.validations.length === 0) return null
  const groups = new Map<string, Fault[]>()
  let value: string | null = null
  for (const fault of error.validations) {
    const [, reason = fault.error, example] = /^(.*?) \((record .*)\)$/s.exec(fault.error) ?? []
    if (example === undefined) value ??= fault.error
    else addTo(groups, readFault(fault.field.replace(/^set\.?/, ''), reason, example))
  }
  const all = Number(error.meta.validationCount ?? error.validations.length)
  const unlisted = all - error.validations.length
  return { value, groups: [...groups.values()].map(toGroup), unlisted }
}

type Fault = {
  fields: string[]
  reason: string
  example: string
  /** A value that has to be unique; `isFirst`: none but records of this edit would have it, of which the first is no fault. */
  taken?: { value: string; isFirst: boolean }
}

/** `"name" must be unique: "Same" is also in record 7`, maybe after the name of the rule. */
const TAKEN = /("[^"]+"(?:, "[^"]+")*) must be unique: (.+) (exists already|is also in record .*)$/s

function readFault(field: string, reason: string, example: string): Fault {
  const [, names = '', value, where = ''] = TAKEN.exec(reason) ?? []
  if (value === undefined) return { fields: field === '' ? [] : [field], reason, example }
  const fields = names.slice(1, -1).split('", "')
  const taken = { value, isFirst: where.startsWith('is also') }
  const said = fields.length > 1 ? 'must be unique together' : 'must be unique'
  return { fields, reason: said, example, taken }
}

function addTo(groups: Map<string, Fault[]>, fault: Fault): void {
  const id = `${fault.fields.join()}\n${fault.reason}`
  groups.set(id, [...(groups.get(id) ?? []), fault])
}

function toGroup(faults: Fault[]): FaultGroup {
  const [{ fields, reason } = NONE] = faults
  const taken = faults.flatMap((fault) => fault.taken ?? [])
  const values = new Set(taken.map(({ value }) => value))
  const [value = null] = values.size === 1 ? values : []
  const firsts = new Set(taken.filter(({ isFirst }) => isFirst).map((one) => one.value))
  const examples = faults
    .slice(0, MAX_EXAMPLES)
    .map(({ example }) => (value === null ? example : example.replace(/ would get .*$/s, '')))
  return { fields, reason, count: faults.length + firsts.size, value, examples }
}

const NONE = { fields: [], reason: '' }
