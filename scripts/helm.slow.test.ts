import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { afterAll, describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { metrics } from '@/lib/metrics/metrics'
import { findHelm } from './steps/helm.mjs'
import { hasKubernetesTypes, kubernetesFaults } from './steps/kubernetes-types.mjs'

/** The chart as Helm renders it, against what the server has and asks for. */

const root = join(__dirname, '..')
const helm = await findHelm()
const hasTypes = await hasKubernetesTypes()
const folder = mkdtempSync(join(tmpdir(), 'engine-helm-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRETS = {
  DATABASE_URL: 'postgres://engine:canary@db/engine',
  NEXTAUTH_SECRET: 'a canary of 32 characters or more',
  BACKUP_KEY: Buffer.alloc(32, 1).toString('base64'),
  CLOUDINARY_URL: 'cloudinary://key:canary@cloud',
}
const SMALLEST = {
  image: { repository: 'registry.example.com/engine' },
  secrets: { existingSecret: 'engine' },
  replicas: 1,
  data: { existingClaim: 'engine-data' },
}
const WHOLE = {
  ...SMALLEST,
  settings: { APP_URL: 'https://engine.example.com', BACKUP_SCHEDULE: '02:30' },
  secrets: { existingSecret: 'engine', keys: Object.keys(SECRETS) },
  backups: { existingClaim: 'engine-backups' },
  data: {},
  autoscaling: { enabled: true },
  networkPolicy: { ingressFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  ingress: { enabled: true, host: 'engine.example.com', className: 'nginx', tlsSecret: 'tls' },
  podAnnotations: { 'example.com/team': 'data' },
  nodeSelector: { disk: 'ssd' },
}

function runHelm(command: string[], values: object) {
  const file = join(folder, 'values.json')
  writeFileSync(file, JSON.stringify(values))
  const args = [...command, join(root, 'deploy/helm'), '--values', file]
  return spawnSync(helm ?? '', args, { encoding: 'utf8' })
}

// biome-ignore lint/suspicious/noExplicitAny: documents of Kubernetes, whose types no package of ours has
type Document = any

function render(values: object): Map<string, Document> {
  const { stdout, stderr, status } = runHelm(['template', 'shop'], values)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const documents = stdout.split(/^---$/m).map((text) => parseYaml(text) as Document)
  return new Map(
    documents.filter(Boolean).map((one) => [`${one.kind} ${one.metadata.name}`, one] as const),
  )
}

/** Pods that the chart makes, by the document that makes them. */
const podsOf = (documents: Map<string, Document>) =>
  [...documents.values()].flatMap(({ kind, spec }) =>
    kind === 'Deployment'
      ? [spec.template]
      : kind === 'CronJob'
        ? [spec.jobTemplate.spec.template]
        : [],
  )

describe.skipIf(!helm)('the chart', () => {
  test.each([
    ['the smallest', SMALLEST],
    ['all', WHOLE],
  ])('with %s values has no fault by Helm’s own rules', (_, values) => {
    const { stdout, status } = runHelm(['lint', '--strict'], values)
    expect(stdout).toContain('0 chart(s) failed')
    expect(status).toBe(0)
  })

  test.skipIf(!hasTypes)(
    'has nothing that Kubernetes does not know or takes for another type',
    () => {
      const keys = ['DATABASE_URL', 'NEXTAUTH_SECRET', 'BACKUP_KEY', 'BACKUP_S3_URL']
      const bucket = { ...SMALLEST, secrets: { existingSecret: 'engine', keys } }
      const documents = [WHOLE, SMALLEST, bucket].flatMap((values) => [...render(values).values()])
      expect(kubernetesFaults(documents)).toEqual([])
      const [{ spec, ...deployment }] = documents.filter(({ kind }) => kind === 'Deployment')
      const wrong = [{ ...spec, replicas: '2' }, { ...spec, selctor: {} }, {}]
      const faults = kubernetesFaults(wrong.map((spec) => ({ ...deployment, spec })))
      expect(faults).toEqual([
        expect.stringMatching(/'string' is not assignable to type 'number'/),
        expect.stringMatching(/selctor/),
        expect.stringMatching(/'selector', 'template'/),
      ])
    },
  )

  const whole = helm ? render(WHOLE) : new Map<string, Document>()
  const server = whole.get('Deployment shop-engine')?.spec.template.spec
  const [container] = server?.containers ?? []

  test('makes what it should', () => {
    expect([...whole.keys()].sort()).toEqual([
      'CronJob shop-engine-verify-backups',
      'Deployment shop-engine',
      'HorizontalPodAutoscaler shop-engine',
      'Ingress shop-engine',
      'NetworkPolicy shop-engine',
      'NetworkPolicy shop-engine-verify-backups',
      'PodDisruptionBudget shop-engine',
      'Service shop-engine',
    ])
    expect([...render(SMALLEST).keys()].sort()).toEqual([
      'Deployment shop-engine',
      'NetworkPolicy shop-engine',
      'PodDisruptionBudget shop-engine',
      'Service shop-engine',
    ])
  })

  test('gives the server settings that it accepts, secrets as files alone', () => {
    expect(JSON.stringify([...whole.values()])).not.toContain('canary')
    const files = new Map(
      Object.entries(SECRETS).map(([name, value]) => {
        writeFileSync(join(folder, name), value)
        return [`/run/secrets/engine/${name}`, join(folder, name)]
      }),
    )
    const entries: [string, string][] = container.env.map(
      ({ name, value }: { name: string; value: string }) => [name, files.get(value) ?? value],
    )
    expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length)
    expect(parseEnv(Object.fromEntries(entries))).toMatchObject({
      ...SECRETS,
      PORT: container.ports[0].containerPort,
      DATA_DIR: '/data',
      BACKUP_DIR: '/backups',
      BACKUP_SCHEDULE: [150],
      TRUST_PROXY: 1,
      APP_URL: 'https://engine.example.com',
    })
    const [trial] = whole.get('CronJob shop-engine-verify-backups').spec.jobTemplate.spec.template
      .spec.containers
    expect(JSON.stringify(trial.env)).not.toMatch(/DATABASE_URL|NEXTAUTH/)
  })

  test('asks addresses that there are, by the names of its ports', () => {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet
      expect(existsSync(join(root, 'app', path, 'route.ts')), path).toBe(true)
      expect(port).toBe(container.ports[0].name)
    }
    expect(whole.get('Service shop-engine').spec.ports[0].targetPort).toBe(container.ports[0].name)
    // The server exits within 15 s.
    expect(server.terminationGracePeriodSeconds).toBeGreaterThan(5 + 15)
  })

  test('scales by a metric that the server has', () => {
    const names = whole
      .get('HorizontalPodAutoscaler shop-engine')
      .spec.metrics.flatMap(({ pods }: Document) => pods?.metric.name ?? [])
    expect(names).toHaveLength(1)
    for (const name of names) expect(metrics().registry.getSingleMetric(name)).toBeDefined()
    expect(whole.get('Deployment shop-engine').spec.replicas).toBeUndefined()
  })

  test('selects its servers, and those alone', () => {
    const labels = whole.get('Deployment shop-engine').spec.template.metadata.labels
    const selectors = [
      whole.get('Deployment shop-engine').spec.selector.matchLabels,
      whole.get('Service shop-engine').spec.selector,
      whole.get('PodDisruptionBudget shop-engine').spec.selector.matchLabels,
      whole.get('NetworkPolicy shop-engine').spec.podSelector.matchLabels,
    ]
    const [, trial] = podsOf(whole)
    for (const selector of selectors) {
      expect(labels).toMatchObject(selector)
      expect(trial.metadata.labels).not.toMatchObject(selector)
    }
    const { podSelector, ...rest } = whole.get('NetworkPolicy shop-engine-verify-backups').spec
    expect(trial.metadata.labels).toMatchObject(podSelector.matchLabels)
    expect(rest).toEqual({ policyTypes: ['Ingress', 'Egress'] })
  })

  test('keeps backups in a bucket, whose key the trial has, too', () => {
    const keys = ['DATABASE_URL', 'NEXTAUTH_SECRET', 'BACKUP_KEY', 'BACKUP_S3_URL']
    const bucket = render({ ...SMALLEST, secrets: { existingSecret: 'engine', keys } })
    const [server, trial] = podsOf(bucket)
    expect(JSON.stringify(server)).not.toContain('/backups')
    const [{ env, volumeMounts }] = trial.spec.containers
    expect(env.map(({ name }: { name: string }) => name)).toEqual([
      'BACKUP_S3_URL_FILE',
      'BACKUP_KEY_FILE',
      'DATA_DIR',
    ])
    expect(volumeMounts.map(({ name }: { name: string }) => name)).not.toContain('backups')
    expect(JSON.stringify(trial.spec.volumes)).toContain('BACKUP_S3_URL')
    const { egress } = bucket.get('NetworkPolicy shop-engine-verify-backups').spec
    expect(JSON.stringify(egress)).toContain('443')
  })

  test('runs pods without rights, on a root file system that is only read', () => {
    for (const { spec } of [...podsOf(whole), ...podsOf(render(SMALLEST))]) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      const [{ securityContext, volumeMounts, resources }] = spec.containers
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(resources.limits.memory).toBeDefined()
      const names = (list: { name: string }[]) => list.map(({ name }) => name).sort()
      expect(names(volumeMounts)).toEqual(names(spec.volumes))
    }
  })

  test.each([
    ['no image', { secrets: SMALLEST.secrets }, /image\.repository/],
    ['no secret', { ...SMALLEST, secrets: {} }, /secrets\.existingSecret/],
    [
      'no database',
      { ...SMALLEST, secrets: { existingSecret: 'a', keys: ['NEXTAUTH_SECRET'] } },
      /DATABASE_URL is missing/,
    ],
    ['a port of its own', { ...SMALLEST, settings: { PORT: '80' } }, /PORT: is set by the chart/],
    ['images that a pod would lose', { ...SMALLEST, data: {} }, /lost with each pod/],
    ['a claim for several pods', { ...SMALLEST, replicas: 2 }, /is for one pod/],
    [
      'backups in two places',
      {
        ...SMALLEST,
        backups: { existingClaim: 'a' },
        secrets: { existingSecret: 'a', keys: ['DATABASE_URL', 'BACKUP_KEY', 'BACKUP_S3_URL'] },
      },
      /kept in one place/,
    ],
    [
      'backups without a key',
      { ...SMALLEST, backups: { existingClaim: 'a' } },
      /backups need BACKUP_KEY/,
    ],
  ])('with %s is refused, with what to do', (_, values, message) => {
    const { stderr, status } = runHelm(['template', 'shop'], values)
    expect(status).not.toBe(0)
    expect(stderr).toMatch(message)
  })

  test('is of the version of the project', () => {
    const chart = readFileSync(join(root, 'deploy/helm/Chart.yaml'), 'utf8')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(parseYaml(chart)).toMatchObject({ version, appVersion: version })
  })
})
