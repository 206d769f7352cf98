import { expect } from 'vitest'
import { call } from '@/lib/testing/request'
import { POST as ROLL_BACK } from '../../history/[id]/rollback/route'
import type { Log } from '../plugin-api'
import { type Fault, PLUGIN } from './draft'
import type { Expected } from './expected'
import { installDraft } from './expected-install'
import { checkReports, installArchive } from './install-draft'
import type { Step } from './random-story'
import { storedOwners, storedRecords } from './record-edits'
import { checkStory, type StoryState } from './story-state'

/** Installs the draft as it is, and takes that back if the step says so. Returns what was reported of each file. */
export async function installStep(
  story: StoryState,
  { choices, isPlanned, rollbacks }: Step,
  fault: Fault | null,
): Promise<unknown[]> {
  const { deps, draft, form, world } = story
  const before = stateOf(story)
  const done = await installArchive(deps, draft, form, { choices, isPlanned, fault })
  const results = installDraft(world, draft, choices, fault?.entity ?? null)
  checkReports(draft, done.logs, results, choices.mode)
  const isFailing = results.flat().some((one) => one === 'refused' || one.isFailed)
  const isUndone = isFailing && choices.mode === 'atomic'
  expect(done.status).toBe(isUndone ? 422 : 200)
  if (!isUndone) {
    for (const [at, { name }] of draft.entities.entries())
      if (at !== fault?.entity) story.names[at] = name
    for (const [at, files] of results.entries())
      for (const one of files) if (one !== 'refused') await settle(story, at, one.open)
  }
  if (fault) await settleOwner(story, fault.entity)
  await checkStory(story)
  if (!isUndone) await rollBack(story, done.history, rollbacks, before)
  return done.logs.map(toldOf)
}

type State = Pick<StoryState, 'world' | 'names'>
const stateOf = ({ world, names }: State): State => structuredClone({ world, names })

const toldOf = ({ path, status, error, records, conflictCount, deleted, removed }: Log) => ({
  ...{ path, status, error, records, conflictCount, deleted, removed },
})

/** The plugin may own an entity whose own definition was installed, while its schema failed. */
async function settleOwner({ deps, names, world }: StoryState, at: number): Promise<void> {
  const owners = await storedOwners(deps, PLUGIN)
  const expected = world.entities[at] as Expected
  expected.isOwned = owners.get(names[at] ?? '') ?? expected.isOwned
}

/** Where the contract is open, what happened is expected from then on. */
async function settle(
  { deps, names, world }: StoryState,
  at: number,
  open: readonly { no: number }[],
): Promise<void> {
  if (open.length === 0) return
  const stored = await storedRecords(deps, names[at] ?? '')
  const { rows } = world.entities[at] as Expected
  for (const { no } of open) {
    const found = stored.find((one) => one.no === no)
    if (found && !rows.has(no)) rows.set(no, { ...found, since: world.serial++, by: 'plugin' })
  }
}

/** Once: as before the install; twice: as after it. */
async function rollBack(story: StoryState, history: number, times: number, before: State) {
  const after = stateOf(story)
  let id = history
  for (let n = 0; n < times; n++) {
    const { status, body } = await call(story.deps, ROLL_BACK, {
      ...{ method: 'POST', path: `/api/plugins/history/${id}/rollback` },
      ...{ params: { id: String(id) }, as: 'ADMIN' },
    })
    expect([status, body.error]).toEqual([200, undefined])
    id = body.data.history
    Object.assign(story, stateOf(n % 2 === 0 ? before : after))
    await checkStory(story)
  }
}
