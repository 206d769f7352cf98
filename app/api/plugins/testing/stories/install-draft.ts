import { expect } from 'vitest'
import type { Deps } from '@/lib/deps'
import { archiveOf } from '@/lib/testing/archive'
import { essence } from '../check-dry-run'
import { install, type Log, upload } from '../plugin-api'
import { type Draft, type Fault, type Form, fileName, filesOf } from './draft'
import type { FileResult } from './expected'
import type { Choices } from './random-story'

type Asked = { choices: Choices; fault: Fault | null; isPlanned: boolean }

/** Installs the draft as it is, after a dry run with the same reports where that is asked for. */
export async function installArchive(
  deps: Deps,
  draft: Draft,
  form: Form,
  { choices, fault, isPlanned }: Asked,
): Promise<{ history: number; logs: Log[]; status: number }> {
  const archive = await archiveOf(filesOf(draft, form, fault))
  const query = `?${new URLSearchParams(choices)}`
  const planned = isPlanned ? await upload(deps, archive, { query: `${query}&dryRun=true` }) : null
  const { body, logs, status } = await install(deps, archive, { query })
  if (body.data === undefined) throw new Error(`${status}: ${JSON.stringify(body)}`)
  if (planned) expect(planned.body.data.plan.files.map(essence)).toEqual(logs.map(essence))
  expect(logs.filter(({ error }) => error === 'Internal error')).toEqual([])
  return { history: body.data.history, logs, status }
}

/** What the reports say of the data files must be what is expected of each. */
export function checkReports(
  draft: Draft,
  logs: readonly Log[],
  results: readonly (FileResult | 'refused')[][],
  mode: Choices['mode'],
): void {
  const isFailing = results.flat().some((one) => one === 'refused' || one.isFailed)
  for (const [at, { folder }] of draft.entities.entries())
    for (const [file, result] of (results[at] ?? []).entries()) {
      const log = logs.find(({ path }) => path === `${folder}/${fileName(file)}`)
      const isUndone = isFailing && mode === 'atomic'
      expect(said(log, result)).toEqual([log?.path, expectedOf(result, isUndone)])
    }
}

function expectedOf(result: FileResult | 'refused', isUndone: boolean) {
  if (result === 'refused') return 'Missing dependency'
  if (result.isFailed) return 'Conflict Issue!'
  if (isUndone) return 'Rolled back'
  const { created, updated, unchanged, conflicts, deleted, removed, open } = result
  return open.length > 0 ? 'open' : { created, updated, unchanged, conflicts, deleted, removed }
}

function said(log: Log | undefined, result: FileResult | 'refused') {
  if (!log || log.error !== null) return [log?.path, log?.error]
  if (result !== 'refused' && result.open.length > 0) return [log.path, 'open']
  const { created, updated, unchanged } = log.records
  const { conflictCount: conflicts, deleted, removed } = log
  return [log.path, { created, updated, unchanged, conflicts, deleted, removed }]
}
