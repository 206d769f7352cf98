import { useQuery } from '@tanstack/react-query'
import { TYPES } from './field-types'
import { typesOptions } from './type-queries'

/** The types that a field can have: those of the engine, then those of plugins. */
export function useTypeOptions(present: string) {
  const own = useQuery(typesOptions).data?.map(({ name }) => name) ?? []
  const all = [...new Set([...TYPES, ...own])]
  const shown = all.includes(present) ? all : [present, ...all]
  return shown.map((value) => ({ value, label: value }))
}
