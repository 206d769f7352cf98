import { parseExactJson } from '@/lib/values/exact-json'
import { askToLead, isLeading, streamFor } from './lead-stream'
import type { LiveChange } from './live-change'
import { type Message, tab, tell, wants, whenTold } from './tabs'

/** `gap`: something may have been missed, so what is shown has to be compared with what is stored. */
type LiveEvent = { type: 'change'; change: LiveChange } | { type: 'gap' } | { type: 'refused' }

type Subscription = {
  entity: string
  listener: (event: LiveEvent) => void
  /** Nothing has been missed since it was last told of a gap. */
  isCurrent: boolean
  isNew: boolean
}

const subscriptions = new Set<Subscription>()
/** What who is signed in can't follow. */
const refused = new Set<string>()
let hasBegun = false

/**
 * Follows the changes of an entity's records while this tab is visible. All tabs of the browser share one stream, which
 * one of them holds. Returns how to end it.
 */
export function subscribe(entity: string, listener: Subscription['listener']): () => void {
  begin()
  const subscription = { entity, listener, isCurrent: false, isNew: true }
  subscriptions.add(subscription)
  again()
  return () => {
    subscriptions.delete(subscription)
    update()
  }
}

function begin(): void {
  if (hasBegun) return
  hasBegun = true
  whenTold(receive)
  document.addEventListener('visibilitychange', again)
  window.addEventListener('online', again)
  window.addEventListener('pagehide', () => tell({ type: 'want', tab, entities: [], isNew: false }))
}

function again(): void {
  refused.clear()
  update()
}

function wanted(): string[] {
  if (document.visibilityState === 'hidden') return []
  const entities = new Set([...subscriptions].map(({ entity }) => entity))
  return [...entities].filter((entity) => !refused.has(entity))
}

function update(): void {
  const entities = wanted()
  if (entities.length === 0) for (const one of subscriptions) one.isCurrent = false
  const isNew = [...subscriptions].some((one) => one.isNew)
  askToLead(entities.length > 0)
  tell({ type: 'want', tab, entities, isNew })
}

function receive(message: Message): void {
  if (message.type === 'ask' && wanted().length > 0) update()
  if (message.type === 'want') {
    if (message.entities.length > 0) wants.set(message.tab, message.entities)
    else wants.delete(message.tab)
    if (isLeading()) streamFor(message.isNew)
  }
  if (message.type === 'open') openFor(message)
  if (message.type === 'refused') {
    for (const entity of message.entities) refused.add(entity)
    for (const { entity, listener } of [...subscriptions])
      if (message.entities.includes(entity)) listener({ type: 'refused' })
    update()
  }
  if (message.type === 'event' && message.change !== null) pass(message.change)
}

function openFor({ entities, isResumed }: Message & { type: 'open' }): void {
  if (wanted().length === 0) return
  for (const one of [...subscriptions].filter(({ entity }) => entities.includes(entity))) {
    const hasGap = !isResumed || !one.isCurrent
    one.isCurrent = true
    one.isNew = false
    if (hasGap) one.listener({ type: 'gap' })
  }
}

function pass(text: string): void {
  const change = parseExactJson(text) as unknown as LiveChange
  for (const { entity, isCurrent, listener } of [...subscriptions])
    if (isCurrent && entity === change.entity) listener({ type: 'change', change })
}
