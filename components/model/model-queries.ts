import { queryOptions } from '@tanstack/react-query'
import type { InstallPreview } from '@/components/plugins/searches'
import { api, apiItem } from '@/lib/http/client'
import type { EditBody } from '@/lib/lifecycle/contract'
import type { ModelBody, WrittenDefinition } from '@/lib/lifecycle/model-contract'
import { getQueryClient } from '@/lib/query/client'

/** Definitions of entities and schemas that a plugin is to have, or what is to be done to those that it has. */
export type ModelChange = {
  plugin: string
  /** The install after which the definitions were read. */
  lastHistoryId?: number | undefined
  entities?: object[]
  schemas?: object[]
  types?: object[]
  roles?: object[]
  policies?: object[]
  edits?: EditBody['edits']
  /** As their author gave them. */
  reverted?: ModelBody['reverted']
  /** Entities that go to the trash, by name, and others. */
  removed?: ModelBody['removed']
}

export const definitionKey = (entity: string) => ['entity', entity, 'definition']

/** An entity as files of plugins have it. */
export const definitionOptions = (entity: string) =>
  queryOptions({
    queryKey: definitionKey(entity),
    queryFn: ({ signal }) =>
      apiItem<WrittenDefinition>(`/api/entities/${encodeURIComponent(entity)}/definition`, {
        signal,
      }),
  })

type Planned = { data: { plan: InstallPreview } }

/** What a change would do. Throws `ApiError`. */
export async function planModel(
  change: ModelChange,
  signal?: AbortSignal,
): Promise<InstallPreview> {
  const request = { method: 'POST', body: change, ...(signal ? { signal } : {}) } as const
  const response = await api<unknown>('/api/model/plan', request)
  return (response as unknown as Planned).data.plan
}

/** The same, made anew for each change, after each install, and whenever it is shown again. */
export const planOptions = (change: ModelChange) =>
  queryOptions({
    queryKey: ['plugin', 'model-plan', change],
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => planModel(change, signal),
  })

/** Why a change can't be applied; empty: it can. `created`: the name of an entity that is to be new. */
export function faultsOf({ files, failedCount }: InstallPreview, created?: string): string[] {
  const failed = files.filter(({ status, error }) => status === 'failed' && error !== 'Rolled back')
  const faults = failed.flatMap(({ error, details }) =>
    details.length > 0 ? details.map(({ message }) => message) : error ? [error] : [],
  )
  const own = ['EngineEntities', 'EngineSchemas'].map((target) => `${target}/${created}.json`)
  const isThere = files.some(
    ({ path, status }) => own.includes(path) && (status === 'updated' || status === 'unchanged'),
  )
  if (isThere) faults.push(`An entity or a schema ${created} exists already: choose another name`)
  if (failedCount > 0 && faults.length === 0) faults.push('Not everything could be planned')
  return [...new Set(faults)]
}

/** Applies a change as it was planned; returns the number of the install in the history. Throws `ApiError`, with 409 when the plan no longer holds. */
export async function applyModel(change: ModelChange, seal: string): Promise<number> {
  const request = { method: 'POST', body: change, query: { seal } } as const
  const response = await api<unknown>('/api/model/apply', request)
  return (response as unknown as { data: { history: number } }).data.history
}

const CHANGED = [['search'], ['entities'], ['plugin'], ['roles']]

/** To be called after a change was applied; the page of what was removed does not ask for it again. */
export const refreshModel = ({ removed = [] }: Pick<ModelChange, 'removed'> = {}) =>
  Promise.all([
    ...CHANGED.map((queryKey) => getQueryClient().invalidateQueries({ queryKey })),
    getQueryClient().invalidateQueries({
      queryKey: ['entity'],
      refetchType: removed.length > 0 ? 'none' : 'active',
    }),
  ])
