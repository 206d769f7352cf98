import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Sql } from 'postgres'
import { machine } from '../http/report'

/** A line of the report, and whether it is as promised. */
export type Line = { title: string; result: string; isGood: boolean }

/** Of the sections, in their order. */
export const TITLES = {
  load: 'Load and overload',
  soak: 'Soak',
  shutdown: 'Shutdown under load',
  embedded: 'The embedded database',
  'kills-embedded': 'Kills on the embedded database',
  'kills-postgres': 'Kills on PostgreSQL',
  'kills-citus': 'Kills on Citus',
  'replica-embedded': 'A copy that follows the embedded database',
  'replica-postgres': 'A copy that follows PostgreSQL',
  webhooks: 'Webhooks and their receivers',
  rolling: 'A rolling upgrade under load, and back',
  rotation: 'The secret replaced under load',
  backup: 'Encrypted backups and their restore',
  'stories-embedded': 'Random lives of plugins on the embedded database',
  'stories-postgres': 'Random lives of plugins on PostgreSQL',
  promotions: 'Promotions from server to server',
  'taint-embedded': 'What policies hide, on the embedded database',
  'taint-postgres': 'What policies hide, on PostgreSQL',
  'taint-citus': 'What policies hide, on Citus',
}

const FILE = 'docs/torture.md'
const HEAD =
  '# Torture\n\nResults of `npm run torture` ([what it does](../bench/README.md#torture)); each section is of its own run.\n'

/** Shows the lines and writes their section; returns whether all is as promised. */
export async function recordLines(
  section: keyof typeof TITLES,
  lines: Line[],
  sql: Sql,
  about: string[] = [],
): Promise<boolean> {
  for (const { isGood, title, result } of lines)
    process.stdout.write(`${isGood ? 'ok' : 'NOT OK'}  ${title}: ${result}\n`)
  await writeSection(section, lines, sql, about)
  return lines.every(({ isGood }) => isGood)
}

/** Replaces a section of the report, with the machine and the date; the others stay. `about`: more about the run. */
async function writeSection(
  section: keyof typeof TITLES,
  lines: Line[],
  sql: Sql,
  about: string[],
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  const where = [...about, await machine(sql)].join('; ')
  const rows = lines.map(
    ({ title, result, isGood }) =>
      `| ${cell(title)} | ${cell(result)} | ${isGood ? 'yes' : '**no**'} |`,
  )
  const text = `${day}; ${where}\n\n| what | result | as promised |\n|---|---|---|\n${rows.join('\n')}\n`
  const all = { ...readSections(), [TITLES[section]]: text }
  const known = Object.values(TITLES).filter((title) => all[title])
  const body = known.map((title) => `\n## ${title}\n\n${all[title]?.trim()}\n`)
  writeFileSync(FILE, HEAD + body.join(''))
}

/** The texts of sections by their titles. */
function readSections(): Record<string, string> {
  if (!existsSync(FILE)) return {}
  const [, ...parts] = readFileSync(FILE, 'utf8').split(/^## /m)
  return Object.fromEntries(
    parts.map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end), part.slice(end)]
    }),
  )
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
