import { Status, type Tone } from '@/components/ui/status'
import type { ApiKeyStatus } from '@/lib/api-keys/contract'

const LOOKS: Record<ApiKeyStatus, { tone: Tone; word: string }> = {
  ACTIVE: { tone: 'success', word: 'Active' },
  EXPIRED: { tone: 'warning', word: 'Expired' },
  REVOKED: { tone: 'neutral', word: 'Revoked' },
}

export const KeyStatus = ({ status }: { status: ApiKeyStatus }) => (
  <Status tone={LOOKS[status].tone}>{LOOKS[status].word}</Status>
)
