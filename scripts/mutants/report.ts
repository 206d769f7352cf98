import { cpus, totalmem } from 'node:os'
import type { Area } from './areas'
import type { Finding } from './find-bug'

const HEAD = `# Planted bugs

Results of \`npm run mutants\`: one bug after another is planted into a copy of the sources, and the tests of its area run on the
embedded database until one fails ([how and why](decisions/0162-testing-the-tests.md)). The score is the part of the bugs that a test
finds; a bug that makes the tests run without end counts as found. The goal is 80 % in each area.
`

/** The results as a page of the documentation. */
export function report(areas: readonly Area[], findings: ReadonlyMap<string, Finding>): string {
  const scores = areas.map((area) => scoreRow(area, findings))
  const details = areas.map((area) => detailsOf(area, findings))
  return [
    HEAD,
    `${machine()}.`,
    '',
    '| area | bugs | found | survived | score | run |',
    '|---|---|---|---|---|---|',
    ...scores,
    '',
    ...details,
  ].join('\n')
}

const machine = () => {
  const [cpu] = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  return `Node ${process.versions.node}, ${cpus().length} × ${cpu?.model.trim() || 'unknown processor'}, ${gib} GiB`
}

const survived = ({ bugs }: Area, findings: ReadonlyMap<string, Finding>) =>
  bugs.filter(({ id }) => findings.get(id)?.outcome === 'survived')

/** The part of the bugs of an area that was found, in percent. */
export const scoreOf = (area: Area, findings: ReadonlyMap<string, Finding>): number =>
  (100 * (area.bugs.length - survived(area, findings).length)) / area.bugs.length

function scoreRow(area: Area, findings: ReadonlyMap<string, Finding>): string {
  const left = survived(area, findings).length
  const all = area.bugs.length
  const days = area.bugs.map(({ id }) => findings.get(id)?.date ?? '').sort()
  return `| ${area.name} | ${all} | ${all - left} | ${left} | ${scoreOf(area, findings).toFixed(0)} % | ${days.at(-1)} |`
}

function detailsOf(area: Area, findings: ReadonlyMap<string, Finding>): string {
  const left = survived(area, findings)
  const lines = left.map(({ id, why, harmless }) => `- \`${id}\`: ${why}. ${harmless ?? 'Open.'}`)
  const survivors = left.length > 0 ? ['Survived:', '', ...lines, ''] : []
  const rows = area.bugs.map(({ id, why }) => {
    const { outcome = 'not run', by = null } = findings.get(id) ?? {}
    return `| \`${id}\` | ${cell(why)} | ${outcome === 'killed' ? cell(by ?? '') : outcome} |`
  })
  const table = ['| bug | what is wrong with it | found by |', '|---|---|---|', ...rows]
  return [`## ${area.name}`, '', ...survivors, ...table, ''].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
