import type { Entity } from '@/lib/definitions/definition'
import { isObject, type Json } from '@/lib/values/json'
import { decodeComposite } from './record-where'

/** The fields of a key as requests name it: its value; of a key of several parts an object of them, or the id. */
export function keyRecord({ keys }: Entity, key: Json): Json {
  const [only = ''] = keys
  if (keys.length === 1) return { [only]: key }
  const parts = typeof key === 'string' ? decodeComposite(key) : key
  return isObject(parts) && Object.keys(parts).every((name) => keys.includes(name)) ? parts : {}
}
