//! Given names: words that are used as names and rarely mean anything else.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Returns whether a name belongs to a person: it begins with a given name, or it is a handle.
pub(super) fn is_person(name: &str) -> bool {
    let name = name.trim();
    if let Some(handle) = name.strip_prefix('@') {
        return handle.chars().count() > 1 && !handle.contains(' ');
    }
    let first = name.split([' ', '.', '-']).next().unwrap_or_default().to_lowercase();
    name.split(' ').count() <= 3 && SET.contains(first.as_str())
}

static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| NAMES.split(',').map(str::trim).collect());

/// Without names that are also months, flowers, languages, programs or verbs.
const NAMES: &str = "aaron, abdul, abigail, abraham, adam, adela, adrian, agnes, ahmed, aisha, akira, \
    albert, alejandro, alessandro, alex, alexander, alexandra, alexei, alfred, ali, alice, alicia, \
    alina, allison, amanda, amelia, amina, amir, amy, ana, anders, andrea, andreas, andrei, andrew, \
    andy, angela, anika, anita, anja, anna, anne, annie, anton, antonio, anya, arjun, arne, arthur, \
    arturo, astrid, audrey, barbara, beatrice, beatriz, ben, benjamin, bernard, beth, betty, björn, \
    bob, boris, brian, bridget, bruno, camille, carla, carlos, carmen, carol, caroline, catherine, \
    cecilia, charles, charlie, charlotte, chloe, chris, christian, christina, christine, christopher, \
    clara, claire, colin, cynthia, daniel, daniela, danny, daria, dave, david, deborah, deepak, denis, \
    dennis, diego, dieter, dmitri, dolores, dominik, donald, doris, dorothy, edgar, eduardo, edward, \
    edwin, elena, eleanor, eli, elias, elisabeth, elizabeth, ella, ellen, elsa, emil, emilia, emily, \
    emma, enrique, eric, erik, erika, ernst, esther, ethan, eugene, eva, evelyn, fatima, felipe, felix, \
    fernando, fiona, florian, frances, francesca, francesco, francisco, françois, frank, franz, fred, \
    freya, frida, friedrich, gabriel, gabriela, george, georgia, gerald, giovanni, giulia, gloria, \
    gordon, greta, gustav, hans, harald, harold, harry, hassan, heidi, heinrich, helen, helena, helga, \
    henri, henrik, henry, hiroshi, hugo, ibrahim, igor, ines, inga, ingrid, irene, irina, isaac, \
    isabel, isabella, ivan, jacob, jacqueline, jakob, james, jamila, jan, jana, jane, janet, jason, \
    javier, jean, jeff, jeffrey, jennifer, jenny, jens, jeremy, jessica, jim, jimmy, joan, joanna, joe, \
    joel, johan, johann, johanna, john, johnny, jonas, jonathan, jorge, josé, josef, joseph, joshua, \
    juan, judith, jürgen, juliet, julian, karen, karin, karl, kate, katharina, katherine, kathy, katie, \
    katrin, keiko, kelly, kenji, kenneth, kevin, khalid, klaus, kofi, kristina, kumar, lars, laura, \
    lauren, lawrence, leila, lena, leo, leon, leonard, leila, liam, lina, linda, lisa, lorenzo, louis, \
    louise, luca, lucas, lucia, lucie, lucy, luis, luisa, lukas, lydia, magda, manuel, marco, marcel, \
    marcus, margaret, maria, marie, marina, mario, marion, markus, marta, martha, martin, martina, mary, \
    matteo, matthew, matthias, maurice, maya, mehmet, mei, melanie, melissa, mia, michael, michel, \
    michelle, miguel, mikhail, mina, mohamed, mohammed, monica, monika, muhammad, mum, mom, nadia, nancy, \
    naomi, natalia, natalie, natasha, nathan, nicholas, nick, nicola, nicolas, nicole, niels, nikola, \
    nikolai, nils, nina, noah, noor, nora, norbert, olaf, oleg, olga, oliver, olivia, omar, oscar, \
    otto, pablo, paolo, patricia, patrick, paul, paula, pauline, pavel, pedro, peter, petra, philip, \
    pierre, piotr, priya, rachel, rafael, rahul, raj, ralph, raúl, ravi, raymond, rebecca, renate, \
    ricardo, richard, rita, robert, roberto, robin, roger, roland, roman, rosa, rudolf, ruth, ryan, \
    sabine, salma, sam, samantha, samir, samuel, sandra, sanjay, sara, sarah, sasha, sebastian, sergei, \
    sergio, sharon, simon, simone, sofia, sonja, sophia, sophie, stefan, stefanie, stella, stephanie, \
    stephen, steve, steven, susan, susanne, sven, sylvia, tamara, tanja, tariq, tatiana, teresa, \
    theodor, theresa, thomas, tim, timothy, tobias, tom, tommy, tony, ulrich, ursula, valentina, \
    valerie, vanessa, vera, veronica, victor, victoria, viktor, vincent, vladimir, walter, wei, werner, \
    wilhelm, william, wolfgang, xavier, yannick, yasmin, yuki, yusuf, yvonne, zoe, zoé, \
    ada, kai, karl, ola, анна, иван, мария, олег, ольга, сергей, лена, 李雷, 小明, 지영, 민수";
