import type { Validation } from '@/lib/errors'
import { pointerTo } from '@/lib/rows/record-faults'
import { isObject, type Json } from '@/lib/values/json'
import { shorten } from '@/lib/values/unknown-name'

/** An element of a list in a request, and its place. */
export type SentElement = { value: Json; pointer: string }

/** The lists in an object of lists with no other names than `names`, those that are left out empty; else what is wrong with it. */
export function readParts<N extends string>(
  value: Json,
  pointer: string,
  names: readonly N[],
  shape: string,
): Record<N, SentElement[]> | Validation[] {
  if (!isObject(value)) return [{ field: pointer, error: shape }]
  const faults = Object.entries(value).flatMap(([name, list]): Validation[] => {
    const field = `${pointer}${pointerTo(shorten(name))}`
    if (!names.some((one) => one === name)) return [{ field, error: `Is unknown here. ${shape}` }]
    return Array.isArray(list) ? [] : [{ field, error: `Must be a list. ${shape}` }]
  })
  if (faults.length > 0) return faults
  const parts = names.map((name) => [
    name,
    elementsOf((value[name] ?? []) as Json[], `${pointer}/${name}`),
  ])
  return Object.fromEntries(parts) as Record<N, SentElement[]>
}

export const elementsOf = (list: readonly Json[], pointer: string): SentElement[] =>
  list.map((value, at) => ({ value, pointer: `${pointer}/${at}` }))
