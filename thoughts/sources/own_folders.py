"""The folders that browsers and services create themselves, by the names that they give them. They say nothing."""

# Firefox, Chrome, Edge, Safari, Opera and Vivaldi: the bar, the menu, the others, those of the phone.
_BROWSERS = """
bookmarks|bookmarks menu|bookmarks bar|bookmarks toolbar|bookmark bar|other bookmarks|mobile bookmarks|favorites|
favorites bar|other favorites|mobile favorites|favourites|favourites bar|other favourites|speed dial|unsorted bookmarks|
imported bookmarks|all bookmarks|
lesezeichen|lesezeichenleiste|lesezeichen-leiste|lesezeichen-symbolleiste|lesezeichen-menü|weitere lesezeichen|
andere lesezeichen|mobile lesezeichen|unsortierte lesezeichen|favoriten|favoritenleiste|weitere favoriten|
andere favoriten|
favoris|barre de favoris|barre des favoris|autres favoris|favoris mobiles|marque-pages|menu des marque-pages|
barre personnelle|barre de marque-pages|autres marque-pages|marque-pages des appareils mobiles|
marcadores|menú de marcadores|menú marcadores|barra de marcadores|otros marcadores|marcadores del móvil|
marcadores móviles|favoritos|barra de favoritos|otros favoritos|
menu de favoritos|menu de marcadores|outros marcadores|outros favoritos|barra de ferramentas de favoritos|
marcadores do celular|dispositivos móveis|
preferiti|segnalibri|menu segnalibri|barra dei segnalibri|barra dei preferiti|barra preferiti|altri segnalibri|
altri preferiti|segnalibri mobili|segnalibri dispositivo mobile|
bladwijzers|bladwijzermenu|bladwijzerbalk|bladwijzerwerkbalk|andere bladwijzers|overige bladwijzers|mobiele bladwijzers|
favorieten|favorietenbalk|overige favorieten|
zakładki|menu zakładki|pasek zakładek|inne zakładki|pozostałe zakładki|zakładki z telefonu|ulubione|pasek ulubionych|
inne ulubione|
záložky|nabídka záložek|lišta záložek|panel záložek|ostatní záložky|záložky z mobilu|oblíbené položky|
könyvjelzők|könyvjelző eszköztár|könyvjelzősáv|más könyvjelzők|egyéb könyvjelzők|mobil könyvjelzők|
bokmärken|bokmärkesmenyn|bokmärkesfältet|övriga bokmärken|andra bokmärken|mobila bokmärken|favoriter|favoritfältet|
bogmærker|bogmærkelinje|bogmærkelinjen|andre bogmærker|mobile bogmærker|foretrukne|favoritlinje|
bokmerker|bokmerkelinje|bokmerkelinjen|andre bokmerker|mobile bokmerker|
kirjanmerkit|kirjanmerkkipalkki|muut kirjanmerkit|mobiilikirjanmerkit|suosikit|suosikkipalkki|
закладки|меню закладок|панель закладок|другие закладки|мобильные закладки|избранное|панель избранного|
закладки|меню закладок|панель закладок|інші закладки|мобільні закладки|
σελιδοδείκτες|γραμμή σελιδοδεικτών|άλλοι σελιδοδείκτες|αγαπημένα|
yer imleri|yer imi çubuğu|yer işaretleri çubuğu|yer imleri çubuğu|diğer yer imleri|diğer yer işaretleri|
mobil yer imleri|sık kullanılanlar|
marcaje|bara de marcaje|alte marcaje|
סימניות|סרגל הסימניות|סימניות אחרות|
الإشارات المرجعية|شريط الإشارات المرجعية|الإشارات الأخرى|
बुकमार्क|बुकमार्क बार|अन्य बुकमार्क|
ブックマーク|ブックマーク メニュー|ブックマークメニュー|
ブックマーク バー|ブックマークバー|ブックマーク ツールバー|ブックマークツールバー|
その他のブックマーク|他のブックマーク|モバイルのブックマーク|お気に入り|お気に入りバー|その他のお気に入り|
书签|书签菜单|书签栏|书签工具栏|其他书签|移动设备书签|移动书签|收藏夹|收藏夹栏|其他收藏夹|
書籤|書籤列|其他書籤|行動裝置書籤|我的最愛|我的最愛列|
북마크|북마크바|북마크 메뉴|북마크 도구 모음|기타 북마크|모바일 북마크|즐겨찾기|즐겨찾기 모음|기타 즐겨찾기|
thanh dấu trang|dấu trang khác|bilah bookmark|bookmark lain
"""
_SERVICES = "unread|archive|read archive|archived|starred|unsorted|uncategorized|all|my links|read later|pocket export"
OWN_FOLDERS = frozenset(
    name.strip() for name in (_BROWSERS.replace("\n", "") + "|" + _SERVICES).split("|") if name.strip()
)


def is_own_folder(name: str) -> bool:
    return name.strip().lower() in OWN_FOLDERS
