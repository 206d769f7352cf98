import { expect } from 'vitest'
import type { Deps } from '@/lib/deps'
import { uninstall } from '../uninstall-api'
import { changeDraft, renameEntity } from './change-draft'
import { FAULTS, type Fault, type Form, PLUGIN } from './draft'
import { createRecord, editRecords } from './edit-records'
import { installStep } from './install-step'
import type { Step } from './random-story'
import { checkStory, newStory, type StoryState } from './story-state'

/** What a step led to, whether records have keys or not. */
export type Told = { step: string; files: unknown[]; records: unknown[] }

/**
 * Carries out a story and compares tables, owners and reports after each step with what is expected of them.
 * Returns what happened.
 */
export async function tellStory(deps: Deps, form: Form): Promise<Told[]> {
  const story = newStory(deps, form)
  const told: Told[] = []
  for (const [at, step] of [FIRST, ...form.steps].entries())
    try {
      const files = await carryOut(story, step)
      told.push({ step: step.kind, files, records: await checkStory(story) })
    } catch (error) {
      const before = told.map(({ step: said }) => said).join('; ')
      throw new Error(`Step ${at}, ${JSON.stringify(step)}, after ${before}`, { cause: error })
    }
  return told
}

const FIRST: Step = {
  ...{ kind: 'install again', entity: 0, at: 0, pick: 0, changes: [] },
  choices: { onConflict: 'keep', removed: 'keep', deleted: 'keep', mode: 'partial' },
  ...{ isPlanned: false, rollbacks: 0 },
}

async function carryOut(story: StoryState, step: Step): Promise<unknown[]> {
  const { kind, entity } = step
  if (kind === 'install again') return installStep(story, step, null)
  if (kind === 'upgrade') return upgrade(story, step, null)
  if (kind === 'refuse definition') return refuse(story, step)
  if (kind === 'rename entity' || kind === 'rename entity and folder') {
    renameEntity(story.draft, entity, kind === 'rename entity and folder')
    return upgrade(story, step, null)
  }
  if (kind === 'uninstall and keep') await leave(story)
  else await editRecords(story, step)
  return []
}

async function upgrade(story: StoryState, step: Step, fault: Fault | null): Promise<unknown[]> {
  for (const change of step.changes) changeDraft(story.draft, step.entity, change, story.form)
  story.draft.version++
  return installStep(story, step, fault)
}

/** A definition is invalid, or two records of people have the same value in a field that becomes unique. */
async function refuse(story: StoryState, step: Step): Promise<unknown[]> {
  const { entity, pick } = step
  const kind = FAULTS[pick % FAULTS.length] ?? 'text'
  if (kind === 'unique') {
    if (story.names[entity] === null) return []
    for (let n = 0; n < 2; n++) await createRecord(story, entity, 'twice')
  }
  return upgrade(story, step, { entity, kind })
}

/** The plugin is uninstalled, its records stay; what it gave is remembered. */
async function leave({ deps, world }: StoryState): Promise<void> {
  if (!world.entities.some(({ isOwned }) => isOwned)) return
  const { status, body } = await uninstall(deps, PLUGIN, '?records=keep')
  expect([status, body.error]).toEqual([200, undefined])
  for (const one of world.entities) one.isOwned = false
}
