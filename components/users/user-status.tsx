import { Status, type Tone } from '@/components/ui/status'
import type { UserStatus as State } from '@/lib/users/status'

const LOOKS: Record<State, { tone: Tone; word: string }> = {
  ACTIVATED: { tone: 'success', word: 'Active' },
  REQUIRED_ACTIVATION: { tone: 'warning', word: 'Pending activation' },
  REQUIRED_RESET_PASSWORD: { tone: 'warning', word: 'Needs a password' },
  DISABLED: { tone: 'neutral', word: 'Disabled' },
}

export const UserStatus = ({ status }: { status: State }) => (
  <Status tone={LOOKS[status].tone}>{LOOKS[status].word}</Status>
)
