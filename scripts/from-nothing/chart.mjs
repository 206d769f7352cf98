import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { StepError } from '../steps/run.mjs'

/** The values that the guide shows. */
function valuesOfGuide(root) {
  const guide = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8')
  const text = /```yaml\n(# engine\.yaml\n[\s\S]*?)```/.exec(guide)?.[1]
  if (!text) throw new StepError('docs/kubernetes.md shows no engine.yaml')
  return text
}

/** The container of the server as the chart makes it. `folder`: for the file of the values. */
export function renderContainer(helm, root, folder) {
  const file = join(folder, 'engine.yaml')
  writeFileSync(file, valuesOfGuide(root))
  const args = ['template', 'engine', join(root, 'deploy/helm'), '--values', file]
  const { stdout, stderr, status } = spawnSync(helm, args, { encoding: 'utf8' })
  if (status !== 0) throw new StepError(`helm template: ${stderr}`)
  const documents = stdout.split(/^---$/m).map((text) => parseYaml(text))
  const deployment = documents.find((one) => one?.kind === 'Deployment')
  return deployment.spec.template.spec.containers[0]
}

/** Its settings, and the files of its secrets in their places in the image. */
export function mountSecrets({ env }, image, secrets) {
  const settings = Object.fromEntries(env.map(({ name, value }) => [name, value]))
  for (const [name, value] of Object.entries(secrets)) {
    const path = settings[`${name}_FILE`]
    if (!path) throw new StepError(`The chart has no file for ${name}`)
    mkdirSync(dirname(image.at(path)), { recursive: true })
    writeFileSync(image.at(path), value)
  }
  return settings
}

/** Asks what Kubernetes asks, and throws unless each probe succeeds. */
export async function probe(container, url) {
  for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    const { status } = await fetch(url + container[name].httpGet.path)
    if (status !== 200) throw new StepError(`${name}: ${status}`)
  }
}
