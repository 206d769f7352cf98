/**
 * `npm run mutants`: tests the tests. Plants one bug after another into a copy of the sources and sees which test finds
 * it. `--area search` and `--id order-without-key` choose; a run of all writes `docs/mutants.md`. Exits with 1 when
 * less than 80 % of an area are found, or one survives that nobody has judged.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { AREAS, type Area } from './mutants/areas'
import { copyOfSources } from './mutants/copy-of-sources'
import { type Finding, findBug } from './mutants/find-bug'
import type { PlantedBug } from './mutants/planted-bug'
import { report, scoreOf } from './mutants/report'

const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true },
    id: { type: 'string', multiple: true },
    /** Only the tests that probably find each; a bug that they miss counts as not run. */
    near: { type: 'boolean', default: false },
    /** Leaves out what an earlier run has found. */
    rest: { type: 'boolean', default: false },
    /** How many copies are tested at the same time. */
    copies: { type: 'string', default: '2' },
  },
})
/** Findings of earlier runs, so that a part can be run again. */
const KEPT = 'node_modules/.cache/engine-mutants/findings.json'
const PAGE = 'docs/mutants.md'
const GOAL_PERCENT = 80

const findings = new Map<string, Finding>(
  existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : [],
)
const isAsked = (area: Area, { id }: PlantedBug) =>
  (values.area?.includes(area.name) ?? true) &&
  (values.id?.includes(id) ?? true) &&
  !(values.rest && findings.has(id))
const chosen = AREAS.flatMap((area) =>
  area.bugs.filter((bug) => isAsked(area, bug)).map((bug) => ({ area, bug })),
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const sound = new Set<string>()
const waiting = [...chosen]
await Promise.all(Array.from({ length: Number(values.copies) }, workThrough))
const all = AREAS.flatMap(({ bugs }) => bugs)
if (all.every(({ id }) => findings.has(id))) writeFileSync(PAGE, report(AREAS, findings))
const isOpen = ({ id, harmless }: PlantedBug) =>
  !harmless && findings.get(id)?.outcome === 'survived'
const isGood = AREAS.every((area) => scoreOf(area, findings) >= GOAL_PERCENT)
process.exit(isGood && !chosen.some(({ bug }) => isOpen(bug)) ? 0 : 1)

/** Tests one bug after another in a copy of its own, until none is left. */
async function workThrough(): Promise<void> {
  const folder = copyOfSources()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const tests = values.near ? [] : next.area.tests
    const finding = await findBug(folder, { tests }, next.bug, sound)
    if (finding.outcome !== 'survived' || !values.near) findings.set(finding.id, finding)
    mkdirSync(dirname(KEPT), { recursive: true })
    writeFileSync(KEPT, JSON.stringify([...findings]))
    const { id, outcome, by, seconds } = finding
    process.stdout.write(`${outcome}  ${id}  ${seconds} s  ${by ?? ''}\n`)
  }
}
