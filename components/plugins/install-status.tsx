import { Status } from '@/components/ui/status'
import type { History } from './types'
import { INSTALL_VERDICTS } from './verdicts'

export function InstallStatus({ status }: { status: History['status'] }) {
  const { tone, label } = INSTALL_VERDICTS[status]
  return <Status tone={tone}>{label}</Status>
}
