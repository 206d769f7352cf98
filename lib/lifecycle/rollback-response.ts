import type { InstallResponse, PlanResponse } from '@/lib/installs/plan-contract'
import { compareVersions } from '@/lib/values/compare-versions'
import type { rollbackInstall } from './rollback-install'

type Outcome = Awaited<ReturnType<typeof rollbackInstall>>

const outcomeOf = ({ install }: Outcome) => {
  const { pluginId, pluginName, totalFiles, successCount, failedCount } = install
  return { pluginId, pluginName, totalFiles, successCount, failedCount }
}

/** As an install responds; `history` is the number of the rollback. */
export const rollbackResponse = (outcome: Outcome): InstallResponse => ({
  status: 200,
  message: 'Installation rolled back',
  data: { history: outcome.install.id, ...outcomeOf(outcome) },
})

/** As the dry run of an install responds; `files` are the definitions, then a part for each entity. */
export function rollbackPlanResponse(outcome: Outcome): PlanResponse {
  const { install, reports, seal, installedVersion } = outcome
  const { pluginId, pluginName, totalFiles, successCount, failedCount } = outcomeOf(outcome)
  const { version, recordCount } = install
  const plan = {
    pluginId: pluginId ?? '',
    pluginName: pluginName ?? '',
    version,
    installedVersion,
    isDowngrade: Boolean(
      installedVersion && version && compareVersions(version, installedVersion) < 0,
    ),
    mode: 'atomic' as const,
    status: 'SUCCESS' as const,
    totalFiles,
    successCount,
    failedCount,
    recordCount,
    warningCount: 0,
    seal,
    files: reports,
  }
  const data = { history: null, ...outcomeOf(outcome), plan }
  return { status: 200, message: 'Plan of the rollback; nothing was written', data }
}
