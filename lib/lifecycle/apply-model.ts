import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { installPlugin } from '@/lib/installs/install-plugin'
import { planResponseOf, resultOf } from '@/lib/installs/install-response'
import type { InstallResponse, NothingInstalled, PlanResponse } from '@/lib/installs/plan-contract'
import { previewInstall } from '@/lib/installs/preview-install'
import { dropWith, withDropped } from './drop-definitions'
import { LOCAL } from './edit/next-version'
import { editedModel, type ModelInput, removedNames } from './edited-model'
import { planRemoval, removeDefinitions } from './remove-definitions'
import { loadPart } from './uninstall/part-removal'

/** What a change of the data model would do. Throws as `editedModel`, `describePart` and `previewInstall` do. */
export async function planModel(deps: Deps, input: ModelInput): Promise<PlanResponse> {
  const names = removedNames(input)
  if (await goesToTrash(deps, input)) return planRemoval(deps, { ...input, names })
  const { actor, signal } = input
  const { request, dropping } = await editedModel(deps, input)
  const previewed = await previewInstall(deps, request, { signal })
  if (!dropping) return planResponseOf(previewed)
  const plan = await withDropped(deps, previewed.plan, dropping, actor)
  return planResponseOf({ ...previewed, plan })
}

/** Changes the data model, all or nothing. Throws as `planModel` does, and `conflict` where the plan no longer holds. */
export async function applyModel(
  deps: Deps,
  input: ModelInput,
): Promise<InstallResponse | NothingInstalled> {
  const names = removedNames(input)
  if (await goesToTrash(deps, input)) return removeDefinitions(deps, { ...input, names })
  const { request, dropping } = await editedModel(deps, input)
  const dropped = dropping ? dropWith(deps, dropping, input) : {}
  const { done } = await installPlugin(deps, { ...request, ...dropped })
  return resultOf(await done)
}

/** Entities can't go by an install: its rollback would leave them half in the trash. Nor can what is all that a plugin has. */
async function goesToTrash({ db }: Deps, input: ModelInput): Promise<boolean> {
  const names = removedNames(input)
  if (names.length === 0) return false
  const { plugin } = input
  if (!plugin.startsWith(LOCAL))
    throw new AppError(
      'invalid_input',
      `Definitions are removed only from plugins that were made here, whose id begins with "${LOCAL}": uninstall "${plugin}", or revert what was added to it here`,
    )
  const { isWhole } = await loadPart(db, plugin, names)
  return isWhole || names.some(({ kind }) => kind === 'entity')
}
