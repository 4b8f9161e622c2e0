{{- define "herald.labels" -}}
app.kubernetes.io/name: herald
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "herald.selector" -}}
app.kubernetes.io/name: herald
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "herald.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "herald.pod" -}}
serviceAccountName: {{ .Release.Name }}
automountServiceAccountToken: false
# SHUTDOWN_DRAIN_MS, DELIVERY_TIMEOUT_MS (15 s), the 20 s that Herald takes at most besides, and 5 s to spare.
terminationGracePeriodSeconds: {{ add 40 (div (int (.Values.settings.SHUTDOWN_DRAIN_MS | default "0")) 1000) }}
{{ include "herald.podCommon" . }}
{{- end }}

{{- define "herald.podCommon" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "herald.container" -}}
image: {{ include "herald.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - configMapRef: { name: {{ .Release.Name }} }
{{ include "herald.confined" . }}
{{- end }}

{{- define "herald.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
{{- end }}

{{- /* A pod that waits for its store is not ready, and must not be restarted. */ -}}
{{- define "herald.probes" -}}
startupProbe:
  httpGet: { path: {{ .path }}, port: {{ .port }} }
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet: { path: {{ .path }}, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 1
livenessProbe:
  tcpSocket: { port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- define "herald.secrets" -}}
{{- $root := index . 0 }}
{{- range $name := index . 1 }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $root.Values.existingSecret }}, key: {{ $name }} } }
{{- end }}
{{- end }}
