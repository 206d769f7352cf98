import { expect } from 'vitest'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import type { FaultGroup } from '@/lib/definitions/definition-faults'
import { call } from '@/lib/testing/request'
import { type Files, install, upload } from './plugin-api'
import { deps, logOf } from './versions'

export const things = (count: number, of: (id: number) => object) =>
  Array.from({ length: count }, (_, id) => ({ id, ...of(id) }))

/** The groups of a file that is refused, in the plan and in the log, which must be the same. */
export async function groupsOf(files: Files, path: string): Promise<FaultGroup[]> {
  const planned = await upload(deps, files, { query: '?dryRun=true' })
  const { logs } = await install(deps, files)
  const log = logOf(logs, path)
  expect(log?.status).toBe('failed')
  const plan = planned.body.data.plan.files.find((file: { path: string }) => file.path === path)
  expect(plan.groups).toEqual(log?.groups)
  return log?.groups ?? []
}

/** What the search that a group gives finds. */
export async function found({ entity, filter }: FaultGroup): Promise<number> {
  const { body } = await call(deps, SEARCH, {
    method: 'POST',
    path: `/api/entities/${entity}/search`,
    params: { entityName: entity ?? '' },
    body: { query: filter, pagination: { page: 0, size: 1 } },
    as: 'ADMIN',
  })
  return body.pagination.total
}
