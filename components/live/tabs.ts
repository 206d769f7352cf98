/** What the tabs of a browser tell each other. */
export type Message =
  /** Whoever is visible is to say what it shows. */
  | { type: 'ask' }
  /** What a tab shows; nothing while it is hidden. `isNew`: something since a moment ago. */
  | { type: 'want'; tab: string; entities: string[]; isNew: boolean }
  /** The stream of these is open; `isResumed`: from where the last one ended. */
  | { type: 'open'; entities: string[]; isResumed: boolean }
  | { type: 'event'; cursor: string; change: string | null }
  /** These can't be followed by who is signed in. */
  | { type: 'refused'; entities: string[] }

type Receiver = (message: Message) => void

/** `crypto.randomUUID` is only there with TLS. */
export const tab = Math.random().toString(36).slice(2)

/** What each visible tab shows. */
export const wants = new Map<string, readonly string[]>()

const receivers = new Set<Receiver>()
/** None without locks, where each tab holds a stream of its own. */
const channel = navigator.locks ? new BroadcastChannel('engine-live') : null
if (channel) channel.onmessage = ({ data }) => receive(data)

const receive: Receiver = (message) => {
  for (const receiver of receivers) receiver(message)
}

export const whenTold = (receiver: Receiver): void => {
  receivers.add(receiver)
}

/** Tells all tabs, this one too. */
export function tell(message: Message): void {
  channel?.postMessage(message)
  receive(message)
}
