import { useMemo } from 'react'
import PlannedEdit from './planned-edit'

type Props = {
  plugin: string
  kind: 'type' | 'role' | 'policy'
  name: string
  onClose: () => void
}

/** Removes a definition of a plugin that was made here, after its plan was shown. */
export default function RemoveDefinition({ plugin, kind, name, onClose }: Props) {
  const change = useMemo(() => ({ plugin, removed: [{ kind, name }] }), [plugin, kind, name])
  return (
    <PlannedEdit
      title={`Remove the ${kind} ${name}`}
      change={change}
      words={`Remove the ${kind} ${name} from ${plugin}`}
      done={`The ${kind} ${name} was removed`}
      onClose={onClose}
    />
  )
}
