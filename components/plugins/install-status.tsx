import { Status } from '@/components/ui/status'
import { KINDS } from './install-kinds'
import type { History } from './types'
import { INSTALL_VERDICTS } from './verdicts'

/** How an install ended, or what else happened to a plugin. */
export function InstallStatus({ status, kind }: Pick<History, 'status' | 'kind'>) {
  const { tone, label } = INSTALL_VERDICTS[status]
  if (kind !== 'install' && status === 'SUCCESS')
    return <Status tone="neutral">{KINDS[kind]}</Status>
  return <Status tone={tone}>{label}</Status>
}
