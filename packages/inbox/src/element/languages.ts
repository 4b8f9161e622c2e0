/** All texts of the component. `{n}` stands for a number. */
export interface InboxLabels {
  title: string;
  unreadCount: string;
  unread: string;
  urgent: string;
  view: string;
  viewInbox: string;
  viewUnread: string;
  viewArchived: string;
  viewSnoozed: string;
  readAll: string;
  archiveRead: string;
  read: string;
  markUnread: string;
  archive: string;
  unarchive: string;
  snooze: string;
  unsnooze: string;
  snoozeHour: string;
  snoozeTomorrow: string;
  snoozeWeek: string;
  snoozeUntil: string;
  snoozedUntil: string;
  groupOpen: string;
  groupClose: string;
  ok: string;
  preferences: string;
  back: string;
  close: string;
  empty: string;
  loading: string;
  arrived: string;
  offline: string;
  unsent: string;
  refused: string;
  failed: string;
  everything: string;
  other: string;
  in_app: string;
  email: string;
  sms: string;
  chat: string;
  push: string;
  quietHours: string;
  quietHint: string;
  addHours: string;
  removeHours: string;
  from: string;
  to: string;
  browser: string;
  browserBlocked: string;
}

export const de: InboxLabels = {
  title: 'Benachrichtigungen',
  unreadCount: '{n} ungelesen',
  unread: 'Ungelesen',
  urgent: 'Dringend',
  view: 'Anzeigen',
  viewInbox: 'Alle',
  viewUnread: 'Ungelesene',
  viewArchived: 'Archivierte',
  viewSnoozed: 'Zurückgestellte',
  readAll: 'Alle als gelesen markieren',
  archiveRead: 'Gelesene archivieren',
  read: 'Als gelesen markieren',
  markUnread: 'Als ungelesen markieren',
  archive: 'Archivieren',
  unarchive: 'Zurückholen',
  snooze: 'Zurückstellen',
  unsnooze: 'Wieder anzeigen',
  snoozeHour: 'In einer Stunde',
  snoozeTomorrow: 'Morgen früh',
  snoozeWeek: 'Nächste Woche',
  snoozeUntil: 'Bis',
  snoozedUntil: 'Zurückgestellt bis {n}',
  groupOpen: 'Alle {n} anzeigen',
  groupClose: 'Weniger anzeigen',
  ok: 'OK',
  preferences: 'Einstellungen',
  back: 'Zurück',
  close: 'Schließen',
  empty: 'Nichts vorhanden',
  loading: 'Wird geladen',
  arrived: 'Neue Benachrichtigung: {n}',
  offline: 'Keine Verbindung. Die Liste ist auf dem letzten Stand.',
  unsent: 'Noch nicht gespeicherte Änderungen: {n}',
  refused: 'Der Posteingang konnte nicht geöffnet werden.',
  failed: 'Das konnte nicht gespeichert werden.',
  everything: 'Alle Benachrichtigungen',
  other: 'Weiteres',
  in_app: 'Hier',
  email: 'E-Mail',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
  quietHours: 'Ruhezeiten',
  quietHint: 'Außerhalb dieser Zeiten kommen Benachrichtigungen nur hier an.',
  addHours: 'weitere Zeiten',
  removeHours: 'diese Zeiten entfernen',
  from: 'Von',
  to: 'Bis',
  browser: 'Benachrichtigungen dieses Browsers',
  browserBlocked: 'In den Einstellungen des Browsers gesperrt',
};

export const fr: InboxLabels = {
  title: 'Notifications',
  unreadCount: '{n} non lues',
  unread: 'Non lue',
  urgent: 'Urgent',
  view: 'Afficher',
  viewInbox: 'Toutes',
  viewUnread: 'Non lues',
  viewArchived: 'Archivées',
  viewSnoozed: 'En pause',
  readAll: 'Tout marquer comme lu',
  archiveRead: 'Archiver les lues',
  read: 'Marquer comme lue',
  markUnread: 'Marquer comme non lue',
  archive: 'Archiver',
  unarchive: 'Désarchiver',
  snooze: 'Mettre en pause',
  unsnooze: 'Réafficher',
  snoozeHour: 'Dans une heure',
  snoozeTomorrow: 'Demain matin',
  snoozeWeek: 'La semaine prochaine',
  snoozeUntil: 'Jusqu’au',
  snoozedUntil: 'En pause jusqu’au {n}',
  groupOpen: 'Afficher les {n}',
  groupClose: 'Afficher moins',
  ok: 'OK',
  preferences: 'Préférences',
  back: 'Retour',
  close: 'Fermer',
  empty: 'Rien à afficher',
  loading: 'Chargement',
  arrived: 'Nouvelle notification : {n}',
  offline: 'Pas de connexion. La liste n’est plus à jour.',
  unsent: 'Modifications non enregistrées : {n}',
  refused: 'Impossible d’ouvrir les notifications.',
  failed: 'L’enregistrement a échoué.',
  everything: 'Toutes les notifications',
  other: 'Autres',
  in_app: 'Ici',
  email: 'E-mail',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
  quietHours: 'Heures calmes',
  quietHint: 'En dehors de ces heures, les notifications n’arrivent qu’ici.',
  addHours: 'autres heures',
  removeHours: 'supprimer ces heures',
  from: 'De',
  to: 'À',
  browser: 'Notifications de ce navigateur',
  browserBlocked: 'Bloquées dans les réglages du navigateur',
};

export const es: InboxLabels = {
  title: 'Notificaciones',
  unreadCount: '{n} sin leer',
  unread: 'Sin leer',
  urgent: 'Urgente',
  view: 'Mostrar',
  viewInbox: 'Todas',
  viewUnread: 'Sin leer',
  viewArchived: 'Archivadas',
  viewSnoozed: 'Pospuestas',
  readAll: 'Marcar todo como leído',
  archiveRead: 'Archivar leídas',
  read: 'Marcar como leída',
  markUnread: 'Marcar como no leída',
  archive: 'Archivar',
  unarchive: 'Recuperar',
  snooze: 'Posponer',
  unsnooze: 'Mostrar de nuevo',
  snoozeHour: 'En una hora',
  snoozeTomorrow: 'Mañana por la mañana',
  snoozeWeek: 'La próxima semana',
  snoozeUntil: 'Hasta',
  snoozedUntil: 'Pospuesta hasta {n}',
  groupOpen: 'Mostrar los {n}',
  groupClose: 'Mostrar menos',
  ok: 'Aceptar',
  preferences: 'Preferencias',
  back: 'Volver',
  close: 'Cerrar',
  empty: 'No hay nada',
  loading: 'Cargando',
  arrived: 'Nueva notificación: {n}',
  offline: 'Sin conexión. La lista no está actualizada.',
  unsent: 'Cambios sin guardar: {n}',
  refused: 'No se pudieron abrir las notificaciones.',
  failed: 'No se pudo guardar.',
  everything: 'Todas las notificaciones',
  other: 'Otros',
  in_app: 'Aquí',
  email: 'Correo',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
  quietHours: 'Horas de silencio',
  quietHint: 'Fuera de estas horas, las notificaciones solo llegan aquí.',
  addHours: 'más horas',
  removeHours: 'quitar estas horas',
  from: 'De',
  to: 'A',
  browser: 'Notificaciones de este navegador',
  browserBlocked: 'Bloqueadas en los ajustes del navegador',
};

export const ar: InboxLabels = {
  title: 'الإشعارات',
  unreadCount: '{n} غير مقروءة',
  unread: 'غير مقروء',
  urgent: 'عاجل',
  view: 'عرض',
  viewInbox: 'الكل',
  viewUnread: 'غير المقروءة',
  viewArchived: 'المؤرشفة',
  viewSnoozed: 'المؤجلة',
  readAll: 'تعليم الكل كمقروء',
  archiveRead: 'أرشفة المقروءة',
  read: 'تعليم كمقروء',
  markUnread: 'تعليم كغير مقروء',
  archive: 'أرشفة',
  unarchive: 'استعادة',
  snooze: 'تأجيل',
  unsnooze: 'إظهار الآن',
  snoozeHour: 'بعد ساعة',
  snoozeTomorrow: 'صباح الغد',
  snoozeWeek: 'الأسبوع القادم',
  snoozeUntil: 'حتى',
  snoozedUntil: 'مؤجل حتى {n}',
  groupOpen: 'عرض الكل ({n})',
  groupClose: 'عرض أقل',
  ok: 'موافق',
  preferences: 'التفضيلات',
  back: 'رجوع',
  close: 'إغلاق',
  empty: 'لا يوجد شيء هنا',
  loading: 'جارٍ التحميل',
  arrived: 'إشعار جديد: {n}',
  offline: 'لا يوجد اتصال. القائمة غير محدثة.',
  unsent: 'تغييرات لم تُحفظ بعد: {n}',
  refused: 'تعذر فتح الإشعارات.',
  failed: 'تعذر الحفظ.',
  everything: 'كل الإشعارات',
  other: 'أخرى',
  in_app: 'هنا',
  email: 'البريد الإلكتروني',
  sms: 'رسالة نصية',
  chat: 'محادثة',
  push: 'إشعار فوري',
  quietHours: 'ساعات الهدوء',
  quietHint: 'خارج هذه الأوقات تصل الإشعارات إلى هنا فقط.',
  addHours: 'ساعات أخرى',
  removeHours: 'إزالة هذه الساعات',
  from: 'من',
  to: 'إلى',
  browser: 'إشعارات هذا المتصفح',
  browserBlocked: 'محظورة في إعدادات المتصفح',
};

export const he: InboxLabels = {
  title: 'התראות',
  unreadCount: '{n} שלא נקראו',
  unread: 'לא נקראה',
  urgent: 'דחוף',
  view: 'הצגה',
  viewInbox: 'הכול',
  viewUnread: 'לא נקראו',
  viewArchived: 'בארכיון',
  viewSnoozed: 'נדחו',
  readAll: 'סימון הכול כנקרא',
  archiveRead: 'העברת נקראו לארכיון',
  read: 'סימון כנקראה',
  markUnread: 'סימון כלא נקראה',
  archive: 'העברה לארכיון',
  unarchive: 'החזרה',
  snooze: 'דחייה',
  unsnooze: 'הצגה עכשיו',
  snoozeHour: 'בעוד שעה',
  snoozeTomorrow: 'מחר בבוקר',
  snoozeWeek: 'בשבוע הבא',
  snoozeUntil: 'עד',
  snoozedUntil: 'נדחתה עד {n}',
  groupOpen: 'הצגת כל ה־{n}',
  groupClose: 'הצגת פחות',
  ok: 'אישור',
  preferences: 'העדפות',
  back: 'חזרה',
  close: 'סגירה',
  empty: 'אין כאן כלום',
  loading: 'בטעינה',
  arrived: 'התראה חדשה: {n}',
  offline: 'אין חיבור. הרשימה אינה מעודכנת.',
  unsent: 'שינויים שטרם נשמרו: {n}',
  refused: 'לא ניתן לפתוח את ההתראות.',
  failed: 'השמירה נכשלה.',
  everything: 'כל ההתראות',
  other: 'אחר',
  in_app: 'כאן',
  email: 'דוא״ל',
  sms: 'הודעת טקסט',
  chat: 'צ׳אט',
  push: 'התראת דחיפה',
  quietHours: 'שעות שקט',
  quietHint: 'מחוץ לשעות אלה ההתראות מגיעות לכאן בלבד.',
  addHours: 'שעות נוספות',
  removeHours: 'הסרת השעות האלה',
  from: 'מ־',
  to: 'עד',
  browser: 'התראות של הדפדפן הזה',
  browserBlocked: 'חסומות בהגדרות הדפדפן',
};
