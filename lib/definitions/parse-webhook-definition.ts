import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { unknownName } from '@/lib/values/unknown-name'
import { check, type FileDetail, fault, type Parsed, toPointer } from './definition-faults'
import { isPrivate } from './unknown-keys'
import { unstorableText } from './unstorable-text'
import { WEBHOOK_KEYS, type WebhookDefinition, webhookDefinition } from './webhook'

/** Reads a webhook of `EngineWebhooks`; what the body of `POST /api/webhooks` may not have is a fault, and so is an address. */
export function parseWebhookDefinition(json: Json): Parsed<WebhookDefinition> {
  const unstorable = unstorableText(json)
  if (unstorable.length > 0) return { faults: unstorable }
  if (!isObject(json)) return check(webhookDefinition, json) as Parsed<WebhookDefinition>
  const known = Object.entries(json).filter(([key]) => WEBHOOK_KEYS.includes(key))
  const found = check(webhookDefinition, Object.fromEntries(known))
  const faults = [...faultsOfKeys(json), ...('faults' in found ? found.faults : [])]
  return faults.length > 0 || 'faults' in found ? { faults } : { definition: found.data }
}

const faultsOfKeys = (json: JsonObject): FileDetail[] =>
  Object.keys(json)
    .filter((key) => !WEBHOOK_KEYS.includes(key) && !isPrivate(key))
    .slice(0, MAX_NAMED)
    .map((key) => fault(toPointer([key]), messageFor(key)))

/** The search for the nearest name takes time. */
const MAX_NAMED = 100

const SAID_HERE: Readonly<Record<string, string>> = {
  url: 'addresses are filled in by an administrator after the install',
  secret: 'secrets are made when an administrator fills in the address after the install',
  enabled: 'administrators switch webhooks on and off after the install',
}

function messageFor(key: string): string {
  const why = Object.hasOwn(SAID_HERE, key) ? SAID_HERE[key] : undefined
  return why === undefined
    ? unknownName('property', key, WEBHOOK_KEYS)
    : `A plugin can't say the ${key} of a webhook: ${why}`
}
