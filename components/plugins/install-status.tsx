import { Status } from '@/components/ui/status'
import { KINDS } from './install-kinds'
import type { History } from './types'
import { INSTALL_VERDICTS } from './verdicts'

/** How an install ended, or what else happened to a plugin. */
export function InstallStatus({
  status,
  kind,
  cancelledBy,
}: Pick<History, 'status' | 'kind'> & Partial<Pick<History, 'cancelledBy'>>) {
  const { tone, label } = INSTALL_VERDICTS[status]
  if (cancelledBy)
    return (
      <Status tone="warning">{status === 'FAILED' ? 'Cancelled' : 'Cancelled, in part'}</Status>
    )
  if (kind !== 'install' && status === 'SUCCESS')
    return <Status tone="neutral">{KINDS[kind]}</Status>
  return <Status tone={tone}>{label}</Status>
}
