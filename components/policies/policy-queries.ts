import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import type { EntityRecord } from '@/components/entities/types'
import type { FieldList } from '@/lib/auth/rights'
import { type ApiResponse, api } from '@/lib/http/client'
import type { Policy as StoredPolicy } from '@/lib/policies/policy-contract'
import type { ExactJson } from '@/lib/values/exact-json'

/** What a policy says, as requests have it. */
export type PolicyInput = {
  name: string
  description?: string | null
  principals: string[]
  entities: string[]
  actions: string[]
  allow: boolean
  where?: Condition[] | null
  fields?: FieldList | null
  set?: Record<string, ExactJson> | null
  check?: Condition[] | null
}

/** A policy as the API shows it; its conditions are those of the filter builder. */
export type Policy = Omit<StoredPolicy, 'where' | 'check'> & {
  where?: Condition[]
  check?: Condition[]
}

const MAX_POLICIES = 250

const PATH = '/api/policies'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

/** The policies that concern a role, those for everybody included. */
export const policiesOptions = (role: string) =>
  queryOptions({
    queryKey: ['roles', 'policies', role.toLowerCase()],
    queryFn: ({ signal }) =>
      api<Policy>(PATH, { query: { role, size: MAX_POLICIES }, signal }).then(({ data }) => data),
  })

const only = <T>({ data: [first] }: ApiResponse<T>): T => {
  if (first === undefined) throw new Error('The server returned nothing')
  return first
}

/** What was written, and by which its state before comes back for 7 days. */
export type Changed<T> = { changed: T; batchId?: string }

export const changedBy = <T>(response: ApiResponse<T>): Changed<T> => ({
  changed: only(response),
  batchId: batchOf(response),
})

const batchOf = ({ meta }: ApiResponse<unknown>) => meta.batchId as string | undefined

/** Creates a policy, or changes the one with this id. */
export async function savePolicy({
  id,
  ...input
}: PolicyInput & { id?: string }): Promise<Changed<Policy>> {
  if (id) return changedBy(await api<Policy>(pathOf(id), { method: 'PATCH', body: input }))
  const body = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
  return changedBy(await api<Policy>(PATH, { method: 'POST', body }))
}

export const deletePolicy = async (id: string): Promise<string | undefined> =>
  batchOf(await api<Policy>(pathOf(id), { method: 'DELETE' }))

/** A change of roles or policies, after which everything that rights decide is asked for again. */
export function useRightsMutation<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['roles'] }),
  })
}

/** What a policy would show of an entity. */
export type Effect = {
  total: number
  matching: number
  fields: number
  visibleFields: string[]
  sample: EntityRecord[]
}

type EffectQuestion = {
  entity: string
  action: string
  policy: Omit<PolicyInput, 'name'>
  /** For whom the values of the person are filled in. */
  as?: { user: string }
  signal: AbortSignal
}

export const askEffect = async ({ signal, ...body }: EffectQuestion): Promise<Effect> =>
  only(await api<Effect>(`${PATH}/preview`, { method: 'POST', body, signal }))
