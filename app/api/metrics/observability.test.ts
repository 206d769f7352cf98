import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { metrics } from '@/lib/metrics/metrics'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET } from './route'
import { namesIn } from './testing/promql'

/** Of the rules, the dashboard and the document of operators, against what the server answers. */

const read = (file: string) => readFileSync(join(__dirname, '../../..', file), 'utf8')

/** Made or added by Prometheus when it scrapes. */
const SCRAPED = { metrics: ['up'], labels: ['job', 'instance', 'le'] }

type Metric = { type: string; labels: string[] }
const answered = new Map<string, Metric>()

beforeAll(async () => {
  await testDeps()
  const { text } = await call(currentDeps(), GET, { path: '/api/metrics', as: 'ADMIN' })
  const declared = new Map(
    metrics()
      .registry.getMetricsAsArray()
      // Of the type of its class, which the package does not declare.
      .map((metric) => [metric.name, (metric as unknown as { labelNames: string[] }).labelNames]),
  )
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    answered.set(name, { type, labels: declared.get(name) ?? [] })
})

/** Series of histograms have names of their own. */
const metricOf = (series: string): Metric | undefined =>
  answered.get(series) ?? answered.get(series.replace(/_(bucket|sum|count)$/, ''))

const rules = [...read('deploy/observability/alerts.yml').matchAll(/^ +expr: (.+)$/gm)]
const panels: { title: string; targets: { expr: string }[] }[] = JSON.parse(
  read('deploy/observability/dashboard.json'),
).panels
const expressions = [
  ...rules.map(([, expression = '']) => expression),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]

test('every rule and panel has an expression', () => {
  const alerts = read('deploy/observability/alerts.yml').match(/- alert: /g)
  expect(rules).toHaveLength(alerts?.length ?? 0)
  expect(panels.filter(({ targets }) => targets.length === 0)).toEqual([])
  expect(expressions.length).toBeGreaterThan(20)
})

test.each(expressions)('%s names what there is', (expression) => {
  const named = namesIn(expression)
  const own = named.metrics.filter((name) => !SCRAPED.metrics.includes(name))
  expect(own.filter((name) => !metricOf(name))).toEqual([])
  expect(named.metrics).not.toEqual([])
  const known = [...SCRAPED.labels, ...own.flatMap((name) => metricOf(name)?.labels ?? [])]
  expect(named.labels.filter((label) => !known.includes(label))).toEqual([])
})

test('the document lists each metric with its type and its labels, and no other', () => {
  const rows = read('docs/operation.md').matchAll(
    /^\| (`(?:engine|process|nodejs)_[^|]*) \| (counter|gauge|histogram) \| ([^|]*)\|/gm,
  )
  const words = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  const documented = [...rows].flatMap(([, names = '', type = '', labels = '']) =>
    words(names).map((name) => [name, { type, labels: words(labels) }] as const),
  )
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(answered))
})

test('the document says what each alert is', () => {
  const alerts = [...read('deploy/observability/alerts.yml').matchAll(/- alert: (\w+)/g)]
  const document = read('docs/operation.md').split('## Alerts')[1] ?? ''
  expect(alerts.filter(([, name]) => !document.includes(`\`${name}\``))).toEqual([])
})
