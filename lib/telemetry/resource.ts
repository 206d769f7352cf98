import { randomUUID } from 'node:crypto'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'

/** How long a collector may take to respond, in milliseconds. */
export const EXPORT_MS = 5_000

/** Of this process: several of one service are told apart by their instance. */
export const resourceOf = (service: string): Resource =>
  resourceFromAttributes({ 'service.name': service, 'service.instance.id': instance })

const instance = randomUUID()
