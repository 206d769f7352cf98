import { z } from 'zod'
import type { InsertDuplicate } from '@/lib/definitions/definition'
import { word } from '@/lib/definitions/entity-input'
import type { OnConflict } from '@/lib/plugins/lifecycle/origin'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'

/** The content of a `__manifest__.json`, which applies to the content files below its folder. */
export type ComponentManifest = {
  target: string | null
  dependencies: string[]
  /** Overrides the entity's own; null: not given. */
  insertDuplicate: InsertDuplicate | null
  /** Overrides the plugin's own; null: not given. */
  onConflict: OnConflict | null
  variables: JsonObject
  raw: JsonObject
}

/** A manifest as written. */
export const componentInput = z.looseObject({
  target: z.string().trim().min(1).max(200).nullish(),
  dependencies: z.array(z.string().trim().min(1).max(200)).max(1000).nullish(),
  insertDuplicate: word('Error', 'Upsert', 'Ignore').nullish(),
  onConflict: word('keep', 'take', 'fail').nullish(),
  variables: z.record(z.string(), z.json()).nullish(),
})

/** The keys that the engine uses; others are kept. */
export const COMPONENT_KEYS = Object.keys(componentInput.shape)

/** Throws an Error whose message names every fault. */
export function parseComponentManifest(json: Json): ComponentManifest {
  if (!isObject(json)) throw new Error('must be a JSON object')
  const result = componentInput.safeParse(json)
  if (!result.success) {
    const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new Error(faults.join('; '))
  }
  const { target, dependencies, insertDuplicate, onConflict, variables } = result.data
  return {
    target: target ?? null,
    dependencies: [...new Set(dependencies ?? [])],
    insertDuplicate: insertDuplicate ?? null,
    onConflict: onConflict ?? null,
    variables: variables ?? {},
    raw: json,
  }
}
