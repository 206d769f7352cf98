import { ApiError } from '@/lib/http/client'

/** Records that an edit would make invalid for one reason. */
type FaultGroup = {
  field: string
  reason: string
  /** Of those that are listed. */
  count: number
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
  const groups = new Map<string, FaultGroup>()
  let value: string | null = null
  for (const fault of error.validations) {
    const [, reason = fault.error, example] = /^(.*?) \((record .*)\)$/s.exec(fault.error) ?? []
    if (example === undefined) value ??= fault.error
    else addTo(groups, { field: fault.field.replace(/^set\.?/, ''), reason, example })
  }
  const all = Number(error.meta.validationCount ?? error.validations.length)
  return { value, groups: [...groups.values()], unlisted: all - error.validations.length }
}

type Fault = { field: string; reason: string; example: string }

function addTo(groups: Map<string, FaultGroup>, { field, reason, example }: Fault): void {
  const id = `${field}\n${reason}`
  const group = groups.get(id) ?? { field, reason, count: 0, examples: [] }
  group.count++
  if (group.examples.length < MAX_EXAMPLES) group.examples.push(example)
  groups.set(id, group)
}
