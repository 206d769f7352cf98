{{- define "engine.name" -}}
{{- if contains "engine" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-engine{{ end }}
{{- end }}

{{- define "engine.selector" -}}
app.kubernetes.io/name: engine
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "engine.labels" -}}
{{ include "engine.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "engine.image" -}}
{{- $repository := required "image.repository: name the image that you have built" .Values.image.repository -}}
{{- if .Values.image.digest }}{{ $repository }}@{{ .Values.image.digest }}{{ else }}{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "engine.env" -}}
{{- if not (has "DATABASE_URL" .Values.secrets.keys) }}
{{- fail "secrets.keys: DATABASE_URL is missing; pods need a PostgreSQL outside of them" }}
{{- end }}
{{- if and .Values.data.existingClaim (or .Values.autoscaling.enabled (gt (int .Values.replicas) 1)) }}
{{- fail "data.existingClaim: is for one pod (replicas: 1, no autoscaling); several need CLOUDINARY_URL among secrets.keys" }}
{{- end }}
{{- if not (or .Values.data.existingClaim .Values.data.ephemeral (has "CLOUDINARY_URL" .Values.secrets.keys)) }}
{{- fail "images would be lost with each pod: add CLOUDINARY_URL to secrets.keys, set data.existingClaim for one pod, or data.ephemeral if there are none" }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{- if has $name (list "PORT" "DATA_DIR" "BACKUP_DIR") }}{{ fail (printf "settings.%s: is set by the chart" $name) }}{{ end }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}
{{- range .Values.secrets.keys }}
- name: {{ . }}_FILE
  value: /run/secrets/engine/{{ . }}
{{- end }}
- name: PORT
  value: "3000"
- name: DATA_DIR
  value: /data
{{- if .Values.backups.existingClaim }}
- name: BACKUP_DIR
  value: /backups
{{- end }}
{{- end }}

{{- define "engine.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "engine.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}
