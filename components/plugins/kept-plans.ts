import { allOf, inStore } from '@/components/queue/private-files'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'
import type { Resolution } from './conflicts/resolution'
import type { InstallMode, InstallPreview } from './searches'

/** A plan with its archive, for the tab that made it. */
export type KeptPlan = {
  id: string
  file: File
  mode: InstallMode
  removed?: 'keep' | 'delete'
  deleted?: 'keep' | 'restore'
  /** What was chosen about conflicts when it was made. */
  planned: Resolution
  /** What is chosen now. */
  resolution: Resolution
  preview: InstallPreview
}

type Stored = Omit<KeptPlan, 'preview' | 'resolution'> & { preview: string; at: number }
type Choice = { id: string; resolution: Resolution }

const PLANS = 'plans'
/** Choices about the conflicts of plans: small beside the archives. */
const CHOICES = 'choices'
/** Names of the plans of this tab, which a reload keeps and closing the tab ends. */
const OWN = 'engine.plans'
/** Those of closed tabs are removed after this time. */
const MAX_AGE_MS = 24 * 3600 * 1000

/** Keeps a plan until it is installed or removed, or the person signs out. It is lost where the browser keeps nothing. */
export async function keepPlan(plan: Omit<KeptPlan, 'resolution'>): Promise<void> {
  const stored: Stored = { ...plan, preview: exactJsonText(plan.preview), at: Date.now() }
  if (await inStore(PLANS, 'readwrite', (store) => store.put(stored))) own([...ownIds(), plan.id])
}

/** Keeps what is chosen about the conflicts of a plan, for its next version. */
export async function keepChoice(choice: Choice): Promise<void> {
  if (!ownIds().includes(choice.id)) return
  await inStore(CHOICES, 'readwrite', (store) => store.put(choice))
}

export async function forgetPlan(id: string): Promise<void> {
  if (!ownIds().includes(id)) return
  own(ownIds().filter((each) => each !== id))
  await remove(id)
}

async function remove(id: string): Promise<void> {
  for (const name of [PLANS, CHOICES] as const)
    await inStore(name, 'readwrite', (store) => store.delete(id))
}

/** The plans that this tab has made before a reload. */
export async function keptPlans(): Promise<KeptPlan[]> {
  const all = await allOf<Stored>(PLANS)
  const isOld = ({ at }: Stored) => Date.now() - at > MAX_AGE_MS
  for (const { id } of all.filter(isOld)) await remove(id)
  const ids = ownIds()
  const choices = new Map((await allOf<Choice>(CHOICES)).map((each) => [each.id, each.resolution]))
  return all
    .filter((plan) => ids.includes(plan.id) && !isOld(plan))
    .map(({ preview, at: _, ...plan }) => ({
      ...plan,
      resolution: choices.get(plan.id) ?? plan.planned,
      preview: parseExactJson(preview) as unknown as InstallPreview,
    }))
}

const ownIds = (): string[] => (sessionStorage.getItem(OWN) ?? '').split(' ').filter(Boolean)
const own = (ids: string[]) => sessionStorage.setItem(OWN, [...new Set(ids)].join(' '))
