import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { StepError } from '../steps/run.mjs'
import { interpolate } from './interpolate.mjs'

/** What the file may have here, by the names of the compose specification: anything else has to be looked at first. */
const KNOWN = {
  file: ['services', 'volumes'],
  service: [
    ...['build', 'image', 'restart', 'stop_grace_period', 'ports', 'depends_on'],
    ...['env_file', 'environment', 'volumes', 'healthcheck'],
  ],
  healthcheck: ['test', 'interval', 'retries'],
}

/** The file, checked, with the values of `.env` put in. @param {string} root @param {Record<string, string>} values */
export function readCompose(root, values) {
  const file = parseYaml(readFileSync(join(root, 'docker-compose.yml'), 'utf8'))
  onlyKnown('docker-compose.yml', file, KNOWN.file)
  for (const [name, service] of Object.entries(file.services)) checkService(file, name, service)
  const { services } = JSON.parse(JSON.stringify(file), (_, value) =>
    typeof value === 'string' ? interpolate(value, values) : value,
  )
  // Values of `environment` win over those of the file.
  const environment = { ...values, ...services.app.environment }
  return { services, environment }
}

function onlyKnown(where, object, known) {
  for (const key of Object.keys(object))
    if (!known.includes(key)) throw new StepError(`${where}: ${key} is not understood`)
}

function checkService(file, name, service) {
  onlyKnown(name, service, KNOWN.service)
  onlyKnown(`${name}.healthcheck`, service.healthcheck ?? {}, KNOWN.healthcheck)
  if (!service.build === !service.image) throw new StepError(`${name}: either build or image`)
  for (const volume of service.volumes ?? [])
    if (!(volume.split(':')[0] in file.volumes)) throw new StepError(`${name}: no volume ${volume}`)
  for (const [other, { condition }] of Object.entries(service.depends_on ?? {}))
    if (condition !== 'service_healthy' || !file.services[other]?.healthcheck)
      throw new StepError(`${name}: ${other} has no health check to wait for`)
}

/** What people have in `.env`: a copy of `.env.example` with values of their own. */
export function envFile(root, own) {
  const lines = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^(\w+)=(.*)$/gm)
  const copied = [...lines].map(([, name, value]) => [name, value.replace(/^"(.*)"$/, '$1')])
  return { ...Object.fromEntries(copied), ...own }
}
