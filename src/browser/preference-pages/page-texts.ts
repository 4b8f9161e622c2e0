/** What the pages say, in one language. `{name}` stands for the name of a workflow, `{channel}` for that of a channel. */
const ENGLISH = {
  title: 'Notification settings',
  unsubscribe: 'Unsubscribe',
  askTitle: 'Unsubscribe?',
  ask: 'You will no longer get “{name}” by {channel}.',
  doneTitle: 'You are unsubscribed',
  done: 'You will no longer get “{name}” by {channel}.',
  again: 'Subscribe again',
  backTitle: 'You are subscribed',
  back: 'You will get “{name}” by {channel} again.',
  required: '“{name}” is about your account or your safety and cannot be switched off.',
  manage: 'Change all notification settings',
  invalidTitle: 'This link is not valid',
  invalid: 'It may be incomplete. Open it again from the message, or use the link of a newer message.',
  goneTitle: 'There is nothing to change',
  gone: 'This subscription no longer exists. You will get no further messages of this kind.',
  badRequestTitle: 'That did not work',
  badRequest: 'Nothing was changed. Go back to the page and try again.',
  intro: 'Choose which messages you want to get, and how.',
  channels: 'How we may reach you',
  channelsHint: 'A channel that is off here is off for everything below.',
  topics: 'What we may send you',
  other: 'Other',
  always: 'Always sent',
  categoryOff: 'Switch all off',
  onlyImportant: 'Only what is important',
  hours: 'When we may reach you',
  hoursSwitch: 'Only send me messages at these times',
  hoursHint: 'Leave the times empty for the whole day. Messages in the app are always delivered.',
  from: 'from',
  to: 'to',
  language: 'Language',
  timezone: 'Time zone',
  notSet: 'Not set',
  save: 'Save',
  saved: 'Your settings are saved.',
  email: 'Email',
  sms: 'Text message',
  in_app: 'In the app',
  chat: 'Chat',
  push: 'Push message',
};

export type PageTexts = Readonly<typeof ENGLISH>;

const GERMAN: PageTexts = {
  title: 'Benachrichtigungen einstellen',
  unsubscribe: 'Abbestellen',
  askTitle: 'Abbestellen?',
  ask: 'Sie erhalten „{name}“ dann nicht mehr per {channel}.',
  doneTitle: 'Sie haben abbestellt',
  done: 'Sie erhalten „{name}“ nicht mehr per {channel}.',
  again: 'Wieder bestellen',
  backTitle: 'Sie haben wieder bestellt',
  back: 'Sie erhalten „{name}“ wieder per {channel}.',
  required: '„{name}“ betrifft Ihr Konto oder Ihre Sicherheit und lässt sich nicht abbestellen.',
  manage: 'Alle Benachrichtigungen einstellen',
  invalidTitle: 'Dieser Link ist ungültig',
  invalid:
    'Vielleicht ist er unvollständig. Öffnen Sie ihn noch einmal aus der Nachricht, oder nehmen Sie den einer neueren.',
  goneTitle: 'Hier gibt es nichts zu ändern',
  gone: 'Dieses Abonnement besteht nicht mehr. Sie erhalten keine weiteren Nachrichten dieser Art.',
  badRequestTitle: 'Das hat nicht geklappt',
  badRequest: 'Es wurde nichts geändert. Gehen Sie zurück und versuchen Sie es noch einmal.',
  intro: 'Wählen Sie, welche Nachrichten Sie erhalten wollen und auf welchem Weg.',
  channels: 'Wie wir Sie erreichen dürfen',
  channelsHint: 'Was hier ausgeschaltet ist, ist für alles Weitere ausgeschaltet.',
  topics: 'Was wir Ihnen schicken dürfen',
  other: 'Weiteres',
  always: 'Wird immer zugestellt',
  categoryOff: 'Alle ausschalten',
  onlyImportant: 'Nur Wichtiges',
  hours: 'Wann wir Sie erreichen dürfen',
  hoursSwitch: 'Nachrichten nur zu diesen Zeiten',
  hoursHint: 'Ohne Uhrzeiten gilt der ganze Tag. Nachrichten in der App werden immer zugestellt.',
  from: 'von',
  to: 'bis',
  language: 'Sprache',
  timezone: 'Zeitzone',
  notSet: 'Nicht festgelegt',
  save: 'Speichern',
  saved: 'Ihre Einstellungen sind gespeichert.',
  email: 'E-Mail',
  sms: 'SMS',
  in_app: 'In der App',
  chat: 'Chat',
  push: 'Push-Nachricht',
};

const FRENCH: PageTexts = {
  title: 'Préférences de notification',
  unsubscribe: 'Se désabonner',
  askTitle: 'Se désabonner ?',
  ask: 'Vous ne recevrez plus « {name} » par ce canal : {channel}.',
  doneTitle: 'Vous êtes désabonné',
  done: 'Vous ne recevrez plus « {name} » par ce canal : {channel}.',
  again: 'Se réabonner',
  backTitle: 'Vous êtes abonné',
  back: 'Vous recevrez de nouveau « {name} » par ce canal : {channel}.',
  required: '« {name} » concerne votre compte ou votre sécurité et ne peut pas être désactivé.',
  manage: 'Modifier toutes les préférences',
  invalidTitle: 'Ce lien n’est pas valable',
  invalid: 'Il est peut-être incomplet. Rouvrez-le depuis le message ou utilisez celui d’un message plus récent.',
  goneTitle: 'Il n’y a rien à modifier',
  gone: 'Cet abonnement n’existe plus. Vous ne recevrez plus de messages de ce type.',
  badRequestTitle: 'Cela n’a pas fonctionné',
  badRequest: 'Rien n’a été modifié. Revenez à la page et réessayez.',
  intro: 'Choisissez les messages que vous voulez recevoir, et comment.',
  channels: 'Comment nous pouvons vous joindre',
  channelsHint: 'Un canal désactivé ici l’est pour tout ce qui suit.',
  topics: 'Ce que nous pouvons vous envoyer',
  other: 'Autres',
  always: 'Toujours envoyé',
  categoryOff: 'Tout désactiver',
  onlyImportant: 'Seulement l’essentiel',
  hours: 'Quand nous pouvons vous joindre',
  hoursSwitch: 'M’envoyer des messages seulement à ces heures',
  hoursHint: 'Sans heures, toute la journée. Les messages dans l’application sont toujours remis.',
  from: 'de',
  to: 'à',
  language: 'Langue',
  timezone: 'Fuseau horaire',
  notSet: 'Non défini',
  save: 'Enregistrer',
  saved: 'Vos préférences sont enregistrées.',
  email: 'E-mail',
  sms: 'SMS',
  in_app: 'Dans l’application',
  chat: 'Messagerie',
  push: 'Notification push',
};

const SPANISH: PageTexts = {
  title: 'Preferencias de notificación',
  unsubscribe: 'Cancelar la suscripción',
  askTitle: '¿Cancelar la suscripción?',
  ask: 'Ya no recibirá «{name}» por este canal: {channel}.',
  doneTitle: 'Suscripción cancelada',
  done: 'Ya no recibirá «{name}» por este canal: {channel}.',
  again: 'Volver a suscribirse',
  backTitle: 'Suscripción activa',
  back: 'Volverá a recibir «{name}» por este canal: {channel}.',
  required: '«{name}» trata de su cuenta o de su seguridad y no se puede desactivar.',
  manage: 'Cambiar todas las preferencias',
  invalidTitle: 'Este enlace no es válido',
  invalid: 'Puede que esté incompleto. Ábralo de nuevo desde el mensaje o use el de un mensaje más reciente.',
  goneTitle: 'No hay nada que cambiar',
  gone: 'Esta suscripción ya no existe. No recibirá más mensajes de este tipo.',
  badRequestTitle: 'No ha funcionado',
  badRequest: 'No se ha cambiado nada. Vuelva a la página e inténtelo de nuevo.',
  intro: 'Elija qué mensajes quiere recibir y cómo.',
  channels: 'Cómo podemos contactarle',
  channelsHint: 'Un canal desactivado aquí lo está para todo lo siguiente.',
  topics: 'Qué podemos enviarle',
  other: 'Otros',
  always: 'Se envía siempre',
  categoryOff: 'Desactivar todo',
  onlyImportant: 'Solo lo importante',
  hours: 'Cuándo podemos contactarle',
  hoursSwitch: 'Enviarme mensajes solo a estas horas',
  hoursHint: 'Sin horas, todo el día. Los mensajes en la aplicación se entregan siempre.',
  from: 'de',
  to: 'a',
  language: 'Idioma',
  timezone: 'Zona horaria',
  notSet: 'Sin definir',
  save: 'Guardar',
  saved: 'Sus preferencias se han guardado.',
  email: 'Correo electrónico',
  sms: 'SMS',
  in_app: 'En la aplicación',
  chat: 'Chat',
  push: 'Notificación push',
};

const ARABIC: PageTexts = {
  title: 'إعدادات الإشعارات',
  unsubscribe: 'إلغاء الاشتراك',
  askTitle: 'هل تريد إلغاء الاشتراك؟',
  ask: 'لن تصلك رسائل «{name}» عبر {channel}.',
  doneTitle: 'تم إلغاء الاشتراك',
  done: 'لن تصلك رسائل «{name}» عبر {channel}.',
  again: 'الاشتراك مجددًا',
  backTitle: 'أنت مشترك',
  back: 'ستصلك رسائل «{name}» عبر {channel} من جديد.',
  required: 'تتعلق رسائل «{name}» بحسابك أو بأمانك ولا يمكن إيقافها.',
  manage: 'تغيير جميع إعدادات الإشعارات',
  invalidTitle: 'هذا الرابط غير صالح',
  invalid: 'قد يكون غير مكتمل. افتحه مرة أخرى من الرسالة أو استخدم رابط رسالة أحدث.',
  goneTitle: 'لا يوجد ما يمكن تغييره',
  gone: 'لم يعد هذا الاشتراك موجودًا. لن تصلك رسائل أخرى من هذا النوع.',
  badRequestTitle: 'لم تنجح العملية',
  badRequest: 'لم يتغير شيء. ارجع إلى الصفحة وحاول مرة أخرى.',
  intro: 'اختر الرسائل التي تريد أن تصلك وكيف تصلك.',
  channels: 'كيف يمكننا التواصل معك',
  channelsHint: 'القناة الموقوفة هنا موقوفة لكل ما يلي.',
  topics: 'ما الذي يمكننا إرساله إليك',
  other: 'أخرى',
  always: 'تُرسل دائمًا',
  categoryOff: 'إيقاف الكل',
  onlyImportant: 'المهم فقط',
  hours: 'متى يمكننا التواصل معك',
  hoursSwitch: 'أرسلوا إليّ الرسائل في هذه الأوقات فقط',
  hoursHint: 'اترك الأوقات فارغة لليوم كله. رسائل التطبيق تصل دائمًا.',
  from: 'من',
  to: 'إلى',
  language: 'اللغة',
  timezone: 'المنطقة الزمنية',
  notSet: 'غير محدد',
  save: 'حفظ',
  saved: 'تم حفظ إعداداتك.',
  email: 'البريد الإلكتروني',
  sms: 'رسالة نصية',
  in_app: 'داخل التطبيق',
  chat: 'محادثة',
  push: 'إشعار فوري',
};

const TEXTS: Readonly<Record<string, PageTexts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  ar: ARABIC,
};

/** Languages of the pages. */
export const PAGE_LANGUAGES: readonly string[] = Object.keys(TEXTS);

export interface PageLanguage {
  /** Language tag of the page. */
  readonly tag: string;
  readonly texts: PageTexts;
}

/**
 * @param locale of the subscriber, such as de-AT or fr_CA
 * @param accepted header Accept-Language of the browser, for subscribers without a locale
 */
export function pageLanguage(locale: string | undefined, accepted = ''): PageLanguage {
  const wanted = locale === undefined || locale === '' ? acceptedTags(accepted) : [locale];
  for (const tag of wanted) {
    const [language = ''] = tag.toLowerCase().split(/[-_]/, 1);
    const texts = Object.hasOwn(TEXTS, language) ? TEXTS[language] : undefined;
    if (texts !== undefined) return { tag: language, texts };
  }
  return { tag: 'en', texts: ENGLISH };
}

/** In the order of the header: browsers send the most wanted first. */
function acceptedTags(header: string): string[] {
  return header
    .slice(0, 200)
    .split(',')
    .flatMap((part) => /^\s*([a-zA-Z]{2,3}(?:-[a-zA-Z0-9]+)*)/.exec(part)?.[1] ?? []);
}
