import { expect } from 'vitest'
import type { Deps } from '@/lib/deps'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { type Files, install, upload } from './plugin-api'

/** Installs after a dry run with the same result, and returns the report of the data file. */
export async function installAsPlanned(deps: Deps, files: Files, query = '') {
  const { body } = await upload(deps, files, { query: `?dryRun=true${query}` })
  const plan: InstallPreview | undefined = body.data.plan
  const log = (await install(deps, files, { query: query.replace('&', '?') })).logs.at(-1)
  const essence = ({
    status,
    error,
    records,
    details,
    conflicts,
    conflictCount,
    removed,
    deleted,
  }: NonNullable<typeof log>) => ({
    status,
    error,
    records,
    details,
    conflicts,
    conflictCount,
    removed,
    deleted,
  })
  expect(plan?.files.slice(-1).map(essence)).toEqual(log && [essence(log)])
  const { created = 0, updated = 0, unchanged = 0 } = log?.records ?? {}
  return { verdict: log?.error ?? log?.status, counts: [created, updated, unchanged], log }
}
