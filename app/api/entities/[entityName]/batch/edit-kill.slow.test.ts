import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Command } from '@/app/api/plugins/testing/engine-child'
import { SHOP } from '@/app/api/plugins/testing/uninstall-api'
import { archiveOf } from '@/lib/testing/archive'
import { bundleScript } from '@/lib/testing/bundle-script'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'

const KILLS = 10
const RECORDS = 20_000
const EDIT: Command = {
  ...{ name: 'edit', entity: 'Author' },
  ...{ set: { name: { $append: '!' } }, url: 'undo=1d' },
}

let bundle: string
let home: Home
let engine: EngineProcess
/** How long it takes when it is not killed, in a new process. */
let editMs = 0

const sql = <Row>(text: string) => engine.ask<Row[]>({ name: 'sql', text })

async function restart(): Promise<void> {
  engine = await EngineProcess.start(bundle, home)
}

beforeAll(async () => {
  bundle = await bundleScript('app/api/plugins/testing/engine-child.ts')
  home = await makeHome()
  await restart()
  const archive = join(home.folder, 'plugin.zip')
  writeFileSync(archive, await archiveOf(SHOP))
  await engine.ask({ name: 'install', archive, query: '' } satisfies Command)
  await sql(
    `insert into entities.author (id, name) select n, 't' from generate_series(100, ${RECORDS + 99}) n`,
  )
  await engine.kill()
  await restart()
  const startedAt = performance.now()
  await engine.ask(EDIT)
  editMs = performance.now() - startedAt
}, 300_000)
afterAll(async () => {
  await engine.kill()
  await home.remove()
})

type State = { marks: number; titles: number; batches: number; kept: number; noted: number }

async function stateOf(): Promise<State | undefined> {
  const [state] = await sql<State>(`select
    max(length(name) - 1)::int as marks, count(distinct name)::int as titles,
    (select count(*)::int from engine.trash_batches) as batches,
    (select count(*)::int from engine.trash_records) as kept,
    (select count(*)::int from engine.audit_log where action = 'records.update') as noted
    from entities.author where id >= 100`)
  return state
}

test(`a process that is killed while it edits, ${KILLS} times, has changed all records or none`, async () => {
  const all =
    (await sql<{ n: number }>('select count(*)::int as n from entities.author'))[0]?.n ?? 0
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await stateOf()
    const hasResponded = await engine.killDuring(EDIT, Math.random() * editMs * 1.1)
    await restart()
    const after = await stateOf()
    const edits = after?.marks ?? 0
    if (hasResponded) expect(edits).toBe((before?.marks ?? 0) + 1)
    expect([before?.marks, (before?.marks ?? 0) + 1]).toContain(edits)
    const once = { marks: edits, batches: edits, kept: edits * all, noted: edits, titles: 1 }
    expect(after).toEqual(once)
  }
}, 600_000)
